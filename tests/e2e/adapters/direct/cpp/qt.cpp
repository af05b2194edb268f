// https://doc.qt.io/qt-6/qurl.html

#include "direct.hpp"

#include <QUrl>

static QUrl url_of(const std::string &library, const std::string &text) {
    const auto mode = library == "qt-strict" ? QUrl::StrictMode : QUrl::TolerantMode;
    return QUrl(QString::fromStdString(text), mode);
}

// "Returns true if the URL is non-empty and valid"
static QUrl valid(const QUrl &url) {
    if (!url.isValid())
        throw Refusal{url.errorString().toStdString()};
    return url;
}

// An empty URL is not valid, but a reference.
static QUrl valid_or_empty(const QUrl &url) {
    return url.isEmpty() && url.errorString().isEmpty() ? url : valid(url);
}

static std::string encoded(const QUrl &url) { return valid(url).toString(QUrl::FullyEncoded).toStdString(); }

Answer parse(const std::string &library, const std::string &text) {
    const QUrl url = valid(url_of(library, text));
    return {
        {"scheme", url.scheme().toStdString()},
        {"authority", url.authority(QUrl::FullyEncoded).toStdString()},
        {"userInfo", url.userInfo(QUrl::FullyEncoded).toStdString()},
        {"host", url.host(QUrl::FullyEncoded).toStdString()},
        {"port", url.port()},
        {"path", url.path(QUrl::FullyEncoded).toStdString()},
        {"hasQuery", url.hasQuery()},
        {"query", url.query(QUrl::FullyEncoded).toStdString()},
        {"hasFragment", url.hasFragment()},
        {"fragment", url.fragment(QUrl::FullyEncoded).toStdString()},
    };
}

std::string resolve(const std::string &library, const std::string &base, const std::string &reference) {
    return encoded(valid(url_of(library, base)).resolved(valid_or_empty(url_of(library, reference))));
}

std::string normalize(const std::string &library, const std::string &text) {
    return encoded(valid(url_of(library, text)).adjusted(QUrl::NormalizePathSegments));
}
