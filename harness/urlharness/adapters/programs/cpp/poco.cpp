// Poco: Poco::URI. It decodes the path, and has no accessor for the path as it is written in the text.

#include "adapter.hpp"

#include <Poco/Environment.h>
#include <Poco/Exception.h>
#include <Poco/URI.h>

namespace {

std::string version() {
    const auto number = Poco::Environment::libraryVersion(); // 0x010B0000 is 1.11.0
    return std::to_string(number >> 24) + "." + std::to_string(number >> 16 & 255) + "." +
           std::to_string(number >> 8 & 255);
}

template <class Function> auto checked(Function function) {
    try {
        return function();
    } catch (const Poco::Exception &error) {
        throw Refusal(error.displayText());
    }
}

// Return the authority without the userinfo, which may contain brackets of its own.
std::string authority_of_host(Poco::URI url) {
    url.setUserInfo("");
    return url.getAuthority();
}

Parts parse(const std::string &text) {
    return checked([&]() -> Parts {
        const Poco::URI url(text);
        const auto port = url.getSpecifiedPort();
        const auto &host = url.getHost();
        const auto literal = "[" + host + "]";
        const bool has_brackets = authority_of_host(url).find(literal) != std::string::npos;
        return {
            {"scheme", url.getScheme()},
            {"userinfo", url.getUserInfo()},
            {"host", has_brackets ? literal : host},
            {"port", port == 0 ? std::nullopt : std::optional(std::to_string(port))},
            {"path", url.getPath()},
            {"query", url.getRawQuery()},
            {"fragment", url.getFragment()},
        }; // the authority of the library omits a default port
    });
}

std::string resolve(const std::string &base, const std::string &reference) {
    return checked([&] {
        Poco::URI url(base);
        url.resolve(reference);
        return url.toString();
    });
}

std::string normalize(const std::string &text) {
    return checked([&] {
        Poco::URI url(text);
        url.normalize();
        return url.toString();
    });
}

std::string recompose(const Parts &components) {
    return checked([&] {
        Poco::URI url;
        const auto text = [&](const char *name) { return components.at(name).value_or(""); };
        auto host = text("host");
        if (host.starts_with('[') && host.find(':') != std::string::npos)
            host = host.substr(1, host.size() - 2);
        url.setScheme(text("scheme"));
        url.setUserInfo(text("userinfo"));
        url.setHost(host);
        url.setPort(static_cast<unsigned short>(port_number(text("port"), 0, 65535)));
        url.setPath(text("path"));
        url.setRawQuery(text("query"));
        url.setFragment(text("fragment"));
        return url.toString();
    });
}

} // namespace

const Library poco_library = {
    .homepage = "https://pocoproject.org/",
    .specs = {"rfc3986"},
    .modes = {"syntax"},
    .takes_bytes = true,
    .tells_empty = false,
    .version = version,
    .parse = parse,
    .resolve = resolve,
    .normalize = normalize,
    .recompose = recompose,
};
