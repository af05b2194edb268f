// Boost.URL: views of the text.

#include "adapter.hpp"

#include <boost/url.hpp>
#include <boost/version.hpp>

namespace urls = boost::urls;

namespace {

std::string version() {
    return std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000);
}

template <class T> T checked(urls::result<T> result) {
    if (!result)
        throw Refusal(result.error().message());
    return *result;
}

Parts parse(const std::string &text) {
    const auto url = checked(urls::parse_uri_reference(text));
    const auto shown = [](bool is_there, urls::string_view value) {
        return is_there ? std::optional<std::string>(std::string(value)) : std::nullopt;
    };
    return {
        {"scheme", shown(url.has_scheme(), url.scheme())},
        {"authority", shown(url.has_authority(), url.encoded_authority())},
        {"userinfo", shown(url.has_userinfo(), url.encoded_userinfo())},
        {"user", shown(url.has_userinfo(), url.encoded_user())},
        {"password", shown(url.has_password(), url.encoded_password())},
        {"host", shown(url.has_authority(), url.encoded_host())},
        {"port", shown(url.has_port(), url.port())},
        {"path", std::string(url.encoded_path())},
        {"query", shown(url.has_query(), url.encoded_query())},
        {"fragment", shown(url.has_fragment(), url.encoded_fragment())},
    };
}

std::string resolve(const std::string &base, const std::string &reference) {
    const auto from = checked(urls::parse_uri_reference(base)); // resolve refuses one without a scheme
    const auto to = checked(urls::parse_uri_reference(reference));
    urls::url found;
    if (const auto done = urls::resolve(from, to, found); !done)
        throw Refusal(done.error().message());
    return std::string(found.buffer());
}

std::string normalize(const std::string &text) {
    urls::url url = checked(urls::parse_uri_reference(text));
    url.normalize();
    return std::string(url.buffer());
}

std::string recompose(const Parts &components) {
    urls::url url;
    try {
        if (const auto &scheme = components.at("scheme"))
            url.set_scheme(*scheme);
        if (const auto &host = components.at("host"))
            url.set_encoded_host(*host);
        if (const auto &userinfo = components.at("userinfo"))
            url.set_encoded_userinfo(*userinfo);
        if (const auto &port = components.at("port"))
            url.set_port(*port);
        if (const auto &path = components.at("path"))
            url.set_encoded_path(*path);
        if (const auto &query = components.at("query"))
            url.set_encoded_query(*query);
        if (const auto &fragment = components.at("fragment"))
            url.set_encoded_fragment(*fragment);
    } catch (const boost::system::system_error &error) {
        throw Refusal(error.what());
    }
    return std::string(url.buffer());
}

} // namespace

const Library boost_url_library = {
    .homepage = "https://www.boost.org/libs/url/",
    .specs = {"rfc3986"},
    .modes = {"syntax"},
    .takes_bytes = true,
    .tells_empty = true,
    .version = version,
    .parse = parse,
    .resolve = resolve,
    .normalize = normalize,
    .recompose = recompose,
};
