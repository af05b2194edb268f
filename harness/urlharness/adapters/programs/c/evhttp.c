/* libevent: evhttp_uri, the parser of its HTTP client and server. */

#include "adapter.h"

#include <event2/event.h>
#include <event2/http.h>
#include <stdlib.h>
#include <string.h>

static const char *version(void) { return event_get_version(); }

static Refusal parse(Text url, json_t *parts) {
    struct evhttp_uri *uri = evhttp_uri_parse(url.start);
    if (uri == NULL)
        return "evhttp_uri_parse returns NULL";
    put(parts, "scheme", evhttp_uri_get_scheme(uri));
    put(parts, "userinfo", evhttp_uri_get_userinfo(uri));
    put(parts, "host", evhttp_uri_get_host(uri));
    put_port(parts, evhttp_uri_get_port(uri));
    put(parts, "path", evhttp_uri_get_path(uri));
    put(parts, "query", evhttp_uri_get_query(uri));
    put(parts, "fragment", evhttp_uri_get_fragment(uri));
    evhttp_uri_free(uri);
    return NULL;
}

/* Set the components. If a function refuses a component, return the name of the function. */
static Refusal set_all(struct evhttp_uri *uri, const Components *components) {
    const struct {
        const char *name, *value;
        int (*set)(struct evhttp_uri *, const char *);
    } calls[] = {
        {"evhttp_uri_set_scheme fails", components->scheme, evhttp_uri_set_scheme},
        {"evhttp_uri_set_userinfo fails", components->userinfo, evhttp_uri_set_userinfo},
        {"evhttp_uri_set_host fails", components->host, evhttp_uri_set_host},
        {"evhttp_uri_set_path fails", components->path, evhttp_uri_set_path},
        {"evhttp_uri_set_query fails", components->query, evhttp_uri_set_query},
        {"evhttp_uri_set_fragment fails", components->fragment, evhttp_uri_set_fragment},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (calls[i].value != NULL && calls[i].set(uri, calls[i].value) != 0)
            return calls[i].name;
    int port = port_number(components->port, -1);
    return evhttp_uri_set_port(uri, port) == 0 ? NULL : "evhttp_uri_set_port fails";
}

static Refusal recompose(const Components *components, json_t **url) {
    struct evhttp_uri *uri = evhttp_uri_new();
    Refusal refusal = set_all(uri, components);
    if (refusal == NULL) {
        const char *const texts[] = {components->scheme,  components->userinfo, components->host,
                                     components->port,    components->path,     components->query,
                                     components->fragment};
        size_t size = 16; /* more than the delimiters and the zero byte */
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            size += texts[i] == NULL ? 0 : strlen(texts[i]);
        char *text = malloc(size);
        if (evhttp_uri_join(uri, text, size) == NULL)
            refusal = "evhttp_uri_join returns NULL";
        else
            *url = json_text(text);
        free(text);
    }
    evhttp_uri_free(uri);
    return refusal;
}

const Library evhttp_library = {
    .homepage = "https://libevent.org/",
    .specs = {"rfc3986"},
    .counts_ports = true,
    .version = version,
    .parse = parse,
    .recompose = recompose,
};
