// https://doc.qt.io/qt-6/qurl.html

#include "direct.hpp"

#include <QUrl>

static QUrl parsed(const std::string &library, const std::string &text) {
    const auto mode = library == "qt-strict" ? QUrl::StrictMode : QUrl::TolerantMode;
    const QUrl url(QString::fromStdString(text), mode);
    // an empty URL is not valid, but has no error
    if (!url.isValid() && !url.isEmpty())
        throw Refusal{url.errorString().toStdString()};
    return url;
}

static std::string encoded(const QUrl &url) {
    return url.toString(QUrl::FullyEncoded).toStdString();
}

Answer parse(const std::string &library, const std::string &text) {
    const QUrl url = parsed(library, text);
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
    return encoded(parsed(library, base).resolved(parsed(library, reference)));
}

std::string normalize(const std::string &library, const std::string &text) {
    return encoded(parsed(library, text).adjusted(QUrl::NormalizePathSegments));
}
