/* https://apr.apache.org/docs/apr-util/1.6/group___a_p_r___util___u_r_i.html */

#include "direct.h"

#include <apr_general.h>
#include <apr_strings.h>
#include <apr_uri.h>

json_t *parse(const char *url) {
    apr_pool_t *pool;
    apr_uri_t uri;
    apr_initialize();
    apr_pool_create(&pool, NULL);
    apr_status_t status = apr_uri_parse(pool, url, &uri);
    json_t *answer;
    if (status != APR_SUCCESS) {
        char message[200];
        answer = answer_refused(apr_strerror(status, message, sizeof message));
    } else {
        answer = answer_accessors(json_pack(
            "{s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "scheme", text_or_null(uri.scheme),
            "hostinfo", text_or_null(uri.hostinfo), "user", text_or_null(uri.user), "password",
            text_or_null(uri.password), "hostname", text_or_null(uri.hostname), "port_str",
            text_or_null(uri.port_str), "port", (int)uri.port, "path", text_or_null(uri.path), "query",
            text_or_null(uri.query), "fragment", text_or_null(uri.fragment)));
    }
    apr_pool_destroy(pool);
    apr_terminate();
    return answer;
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
