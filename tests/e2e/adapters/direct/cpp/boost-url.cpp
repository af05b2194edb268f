// https://www.boost.org/doc/libs/1_81_0/libs/url/doc/html/url/ref/boost__urls__url_view_base.html

#include "direct.hpp"

#include <boost/url.hpp>

namespace urls = boost::urls;

static urls::url_view parsed(const std::string &text) {
    auto view = urls::parse_uri_reference(text);
    if (!view)
        throw Refusal{view.error().message()};
    return *view;
}

Answer parse(const std::string &, const std::string &url) {
    const urls::url_view view = parsed(url);
    return {
        {"has_scheme", view.has_scheme()},
        {"scheme", std::string(view.scheme())},
        {"has_authority", view.has_authority()},
        {"encoded_authority", std::string(view.encoded_authority())},
        {"has_userinfo", view.has_userinfo()},
        {"encoded_userinfo", std::string(view.encoded_userinfo())},
        {"encoded_host", std::string(view.encoded_host())},
        {"has_port", view.has_port()},
        {"port", std::string(view.port())},
        {"encoded_path", std::string(view.encoded_path())},
        {"has_query", view.has_query()},
        {"encoded_query", std::string(view.encoded_query())},
        {"has_fragment", view.has_fragment()},
        {"encoded_fragment", std::string(view.encoded_fragment())},
    };
}

std::string resolve(const std::string &, const std::string &base, const std::string &reference) {
    urls::url absolute;
    auto resolved = urls::resolve(parsed(base), parsed(reference), absolute);
    if (!resolved)
        throw Refusal{resolved.error().message()};
    return std::string(absolute.buffer());
}

std::string normalize(const std::string &, const std::string &url) {
    urls::url normal(parsed(url));
    normal.normalize();
    return std::string(normal.buffer());
}
