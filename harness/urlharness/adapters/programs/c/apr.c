/* APR-util: apr_uri, the parser of httpd. */

#include "adapter.h"

#include <apr_general.h>
#include <apr_strings.h>
#include <apr_uri.h>
#include <apu_version.h>
#include <stdlib.h>
#include <string.h>

static const char *version(void) { return apu_version_string(); }

/* Return a new pool; the caller destroys it. */
static apr_pool_t *new_pool(void) {
    apr_pool_t *pool;
    apr_initialize(); /* only the first call has an effect */
    if (apr_pool_create(&pool, NULL) != APR_SUCCESS)
        abort();
    return pool;
}

/* Set the host, with brackets if the hostinfo has them around it. The hostinfo begins with the userinfo. */
static void put_host(json_t *parts, const apr_uri_t *uri, apr_pool_t *pool) {
    if (uri->hostname == NULL) {
        put(parts, "host", NULL);
        return;
    }
    const char *last_at_sign = strrchr(uri->hostinfo, '@');
    const char *host_and_port = last_at_sign == NULL ? uri->hostinfo : last_at_sign + 1;
    const char *literal = apr_pstrcat(pool, "[", uri->hostname, "]", NULL);
    bool has_brackets = strncmp(host_and_port, literal, strlen(literal)) == 0;
    put(parts, "host", has_brackets ? literal : uri->hostname);
}

static Refusal parse(Text url, json_t *parts) {
    apr_pool_t *pool = new_pool();
    apr_uri_t uri;
    apr_status_t code = apr_uri_parse(pool, url.start, &uri);
    if (code == APR_SUCCESS) {
        put(parts, "scheme", uri.scheme);
        put(parts, "authority", uri.hostinfo);
        put(parts, "user", uri.user);
        put(parts, "password", uri.password);
        put_host(parts, &uri, pool);
        put(parts, "port", uri.port_str);
        put(parts, "path", uri.path == NULL ? "" : uri.path);
        put(parts, "query", uri.query);
        put(parts, "fragment", uri.fragment);
    }
    apr_pool_destroy(pool);
    char message[128];
    return code == APR_SUCCESS ? NULL : refuse("%s", apr_strerror(code, message, sizeof message));
}

static Refusal recompose(const Components *components, json_t **url) {
    apr_pool_t *pool = new_pool();
    char *host = without_brackets(components->host);
    apr_uri_t uri = {
        .scheme = (char *)components->scheme,
        .user = (char *)components->user,
        .password = (char *)components->password,
        .hostname = host,
        .port_str = (char *)components->port,
        .port = (apr_port_t)port_number(components->port, 0),
        .path = (char *)components->path,
        .query = (char *)components->query,
        .fragment = (char *)components->fragment,
    };
    *url = json_text(apr_uri_unparse(pool, &uri, APR_URI_UNP_REVEALPASSWORD));
    free(host);
    apr_pool_destroy(pool);
    return NULL;
}

const Library apr_library = {
    .homepage = "https://apr.apache.org/",
    .version = version,
    .parse = parse,
    .recompose = recompose,
};
