/* https://libevent.org/libevent-book/Ref9_http.html and the comments of event2/http.h */

#include "direct.h"

#include <event2/http.h>

json_t *parse(const char *url) {
    struct evhttp_uri *uri = evhttp_uri_parse(url);
    if (uri == NULL)
        return answer_refused("");
    json_t *accessors = json_pack(
        "{s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "scheme", text_or_null(evhttp_uri_get_scheme(uri)), "userinfo",
        text_or_null(evhttp_uri_get_userinfo(uri)), "host", text_or_null(evhttp_uri_get_host(uri)), "port",
        evhttp_uri_get_port(uri), "path", text_or_null(evhttp_uri_get_path(uri)), "query",
        text_or_null(evhttp_uri_get_query(uri)), "fragment", text_or_null(evhttp_uri_get_fragment(uri)));
    evhttp_uri_free(uri);
    return answer_accessors(accessors);
}

json_t *resolve(const char *base, const char *reference) {
    (void)base;
    (void)reference;
    return answer_not_offered();
}

json_t *normalize(const char *url) {
    (void)url;
    return answer_not_offered();
}
