/* The comments of ne_uri.h. */

#include "direct.h"

#include <ne_uri.h>
#include <stdlib.h>

json_t *parse(const char *url) {
    ne_uri uri;
    if (ne_uri_parse(url, &uri) != 0) {
        ne_uri_free(&uri);
        return answer_refused("");
    }
    json_t *accessors = json_pack("{s:o, s:o, s:o, s:I, s:o, s:o, s:o}", "scheme", text_or_null(uri.scheme),
                                  "userinfo", text_or_null(uri.userinfo), "host", text_or_null(uri.host),
                                  "port", (json_int_t)uri.port, "path", text_or_null(uri.path), "query",
                                  text_or_null(uri.query), "fragment", text_or_null(uri.fragment));
    ne_uri_free(&uri);
    return answer_accessors(accessors);
}

json_t *resolve(const char *base, const char *reference) {
    ne_uri base_uri;
    ne_uri reference_uri;
    ne_uri absolute_uri;
    if (ne_uri_parse(base, &base_uri) != 0 || ne_uri_parse(reference, &reference_uri) != 0)
        return answer_refused("");
    char *url = ne_uri_unparse(ne_uri_resolve(&base_uri, &reference_uri, &absolute_uri));
    json_t *answer = answer_url(url);
    free(url);
    ne_uri_free(&absolute_uri);
    ne_uri_free(&reference_uri);
    ne_uri_free(&base_uri);
    return answer;
}

json_t *normalize(const char *url) {
    (void)url;
    return answer_not_offered();
}
