/* neon: ne_uri, the parser of a WebDAV client. */

#include "adapter.h"

#include <ne_uri.h>
#include <ne_utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return "0.32.5" of "neon 0.32.5: Library build, ...". */
static const char *version(void) {
    static char text[32];
    return sscanf(ne_version_string(), "neon %31[^:]", text) == 1 ? text : ne_version_string();
}

/* If a text ends with "]", the library reads a port after the zero byte of the text. A second zero byte makes
   the answer independent of what is there. */
static Refusal parse_uri(Text text, ne_uri *uri) {
    size_t length = strlen(text.start);
    char *followed_by_zeros = calloc(length + 2, 1);
    memcpy(followed_by_zeros, text.start, length);
    int status = ne_uri_parse(followed_by_zeros, uri);
    free(followed_by_zeros);
    if (status == 0)
        return NULL;
    ne_uri_free(uri);
    return "ne_uri_parse fails";
}

static Refusal parse(Text url, json_t *parts) {
    ne_uri uri;
    Refusal refusal = parse_uri(url, &uri);
    if (refusal != NULL)
        return refusal;
    put(parts, "scheme", uri.scheme);
    put(parts, "userinfo", uri.userinfo);
    put(parts, "host", uri.host);
    put_port(parts, uri.port == 0 ? -1 : (long)uri.port);
    put(parts, "path", uri.path);
    put(parts, "query", uri.query);
    put(parts, "fragment", uri.fragment);
    ne_uri_free(&uri);
    return NULL;
}

static Refusal write_uri(const ne_uri *uri, json_t **url) {
    char *text = ne_uri_unparse(uri);
    *url = json_text(text);
    free(text);
    return NULL;
}

static Refusal resolve(Text base, Text reference, json_t **url) {
    ne_uri from, to, found;
    Refusal refusal = parse_uri(base, &from);
    if (refusal != NULL)
        return refusal;
    refusal = parse_uri(reference, &to);
    if (refusal == NULL) {
        refusal = write_uri(ne_uri_resolve(&from, &to, &found), url);
        ne_uri_free(&found);
        ne_uri_free(&to);
    }
    ne_uri_free(&from);
    return refusal;
}

static Refusal recompose(const Components *components, json_t **url) {
    const ne_uri uri = {
        .scheme = (char *)components->scheme,
        .userinfo = (char *)components->userinfo,
        .host = (char *)components->host,
        .port = (unsigned)port_number(components->port, 0),
        .path = (char *)components->path,
        .query = (char *)components->query,
        .fragment = (char *)components->fragment,
    };
    return write_uri(&uri, url);
}

const Library neon_library = {
    .homepage = "https://notroj.github.io/neon/",
    .counts_ports = true,
    .version = version,
    .parse = parse,
    .resolve = resolve,
    .recompose = recompose,
};
