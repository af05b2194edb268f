// Qt: QUrl in its tolerant and its strict mode.

#include "adapter.hpp"

#include <QUrl>
#include <climits>

namespace {

using Mode = QUrl::ParsingMode;

std::string version() { return qVersion(); }

QString text_of(const std::string &text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QUrl checked(const QUrl &url) {
    if (!url.isValid())
        throw Refusal(url.errorString().toStdString());
    return url;
}

template <Mode mode> QUrl parsed(const std::string &text) { return checked(QUrl(text_of(text), mode)); }

std::optional<std::string> shown(const QString &value) {
    return value.isNull() ? std::nullopt : std::optional(value.toStdString());
}

template <Mode mode> Parts parse(const std::string &text) {
    constexpr auto ENCODED = QUrl::FullyEncoded;
    const QUrl url = parsed<mode>(text);
    const QString host = url.host(ENCODED); // without the brackets that authority() has around it
    const QString literal = u'[' + host + u']';
    const bool has_brackets = url.authority(ENCODED).contains(literal);
    const auto present = [](bool is_there, const QString &value) {
        return is_there ? std::optional(value.toStdString()) : std::nullopt;
    };
    return {
        {"scheme", present(!url.scheme().isEmpty(), url.scheme())},
        {"authority", shown(url.authority(ENCODED))},
        {"userinfo", shown(url.userInfo(ENCODED))},
        {"user", shown(url.userName(ENCODED))},
        {"password", shown(url.password(ENCODED))},
        {"host", shown(has_brackets ? literal : host)},
        {"port", present(url.port() >= 0, QString::number(url.port()))},
        {"path", url.path(ENCODED).toStdString()},
        {"query", present(url.hasQuery(), url.query(ENCODED))},
        {"fragment", present(url.hasFragment(), url.fragment(ENCODED))},
    };
}

template <Mode mode> std::string resolve(const std::string &base, const std::string &reference) {
    const QUrl to(text_of(reference), mode);
    if (!reference.empty()) // an empty reference is not a valid QUrl, but the library can resolve it
        checked(to);
    return checked(parsed<mode>(base).resolved(to)).toEncoded().toStdString();
}

template <Mode mode> std::string normalize(const std::string &text) {
    return checked(parsed<mode>(text).adjusted(QUrl::NormalizePathSegments)).toEncoded().toStdString();
}

template <Mode mode> std::string recompose(const Parts &components) {
    QUrl url;
    const auto text = [&](const char *name) {
        const auto &value = components.at(name);
        return value ? text_of(*value) : QString();
    };
    url.setScheme(text("scheme"));
    url.setUserInfo(text("userinfo"), mode);
    url.setHost(text("host"), mode);
    url.setPort(port_number(components.at("port").value_or(""), -1, INT_MAX));
    url.setPath(text("path"), mode);
    url.setQuery(text("query"), mode);
    url.setFragment(text("fragment"), mode);
    return checked(url).toEncoded().toStdString();
}

template <Mode mode> Library library() {
    return {
        .homepage = "https://doc.qt.io/qt-6/qurl.html",
        .specs = {"rfc3986"},
        .modes = {"syntax"},
        .takes_bytes = false,
        .tells_empty = true,
        .version = version,
        .parse = parse<mode>,
        .resolve = resolve<mode>,
        .normalize = normalize<mode>,
        .recompose = recompose<mode>,
    };
}

} // namespace

const Library qt_library = library<QUrl::TolerantMode>();
const Library qt_strict_library = library<QUrl::StrictMode>();
