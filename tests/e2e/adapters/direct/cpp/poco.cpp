// https://docs.pocoproject.org/1.11.0/Poco.URI.html

#include "direct.hpp"

#include <Poco/Exception.h>
#include <Poco/URI.h>

static Poco::URI parsed(const std::string &text) {
    try {
        return Poco::URI(text);
    } catch (const Poco::SyntaxException &refusal) {
        throw Refusal{refusal.displayText()};
    }
}

Answer parse(const std::string &, const std::string &url) {
    const Poco::URI uri = parsed(url);
    return {
        {"getScheme", uri.getScheme()},     {"getAuthority", uri.getAuthority()},
        {"getUserInfo", uri.getUserInfo()}, {"getHost", uri.getHost()},
        {"getPort", uri.getPort()},         {"getSpecifiedPort", uri.getSpecifiedPort()},
        {"getPath", uri.getPath()},         {"getRawQuery", uri.getRawQuery()},
        {"getFragment", uri.getFragment()},
    };
}

std::string resolve(const std::string &, const std::string &base, const std::string &reference) {
    Poco::URI uri = parsed(base);
    uri.resolve(parsed(reference));
    return uri.toString();
}

std::string normalize(const std::string &, const std::string &url) {
    Poco::URI uri = parsed(url);
    uri.normalize();
    return uri.toString();
}
