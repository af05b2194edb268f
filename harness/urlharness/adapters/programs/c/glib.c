/* GLib: GUri, with percent-encoded components. */

#include "adapter.h"

#include <glib.h>
#include <string.h>

static const GUriFlags FLAGS = G_URI_FLAGS_ENCODED;

static const char *version(void) {
    static char text[32];
    g_snprintf(text, sizeof text, "%u.%u.%u", glib_major_version, glib_minor_version, glib_micro_version);
    return text;
}

static Refusal refusal_of(GError *error, const char *function) {
    if (error == NULL)
        return fail("%s returns NULL without an error", function);
    Refusal refusal = refuse("%s", error->message);
    g_error_free(error);
    return refusal;
}

static Refusal take(char *text, const char *function, json_t **url) {
    if (text == NULL)
        return fail("%s returns NULL", function);
    *url = json_text(text);
    g_free(text);
    return NULL;
}

/* Set the host, with brackets where g_uri_join would write them. The library shows the host decoded. */
static void put_host(json_t *parts, const char *host) {
    if (host == NULL || strchr(host, ':') == NULL || !g_hostname_is_ip_address(host)) {
        put(parts, "host", host);
        return;
    }
    char *literal = g_strdup_printf("[%s]", host);
    put(parts, "host", literal);
    g_free(literal);
}

static Refusal parse(Text url, json_t *parts) {
    char *scheme, *userinfo, *user, *password, *host, *path, *query, *fragment;
    int port;
    GError *error = NULL;
    if (!g_uri_split(url.start, FLAGS, &scheme, &userinfo, &host, &port, &path, &query, &fragment, &error))
        return refusal_of(error, "g_uri_split");
    if (!g_uri_split_with_user(url.start, FLAGS | G_URI_FLAGS_HAS_PASSWORD, NULL, &user, &password, NULL,
                               NULL, NULL, NULL, NULL, NULL, &error))
        return refusal_of(error, "g_uri_split_with_user");
    put(parts, "scheme", scheme);
    put(parts, "userinfo", userinfo);
    put(parts, "user", user);
    put(parts, "password", password);
    put_host(parts, host);
    put_port(parts, port);
    put(parts, "path", path);
    put(parts, "query", query);
    put(parts, "fragment", fragment);
    char *const texts[] = {scheme, userinfo, user, password, host, path, query, fragment};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    return NULL;
}

static Refusal resolve(Text base, Text reference, json_t **url) {
    GError *error = NULL;
    char *found = g_uri_resolve_relative(base.start, reference.start, FLAGS, &error);
    return found == NULL ? refusal_of(error, "g_uri_resolve_relative")
                         : take(found, "g_uri_resolve_relative", url);
}

static Refusal normalize_by_scheme(Text url, json_t **normal) {
    GError *error = NULL;
    GUri *uri = g_uri_parse(url.start, FLAGS | G_URI_FLAGS_SCHEME_NORMALIZE, &error);
    if (uri == NULL)
        return refusal_of(error, "g_uri_parse");
    char *found = g_uri_to_string(uri);
    g_uri_unref(uri);
    return take(found, "g_uri_to_string", normal);
}

/* With G_URI_FLAGS_ENCODED, all components come as they stand in a URI. The function returns NULL without an
   error for a path that its documentation forbids: with two slashes and no host, or without a slash after a
   host. */
static Refusal recompose(const Components *components, json_t **url) {
    char *joined = g_uri_join(FLAGS, components->scheme, components->userinfo, components->host,
                              port_number(components->port, -1), components->path, components->query,
                              components->fragment);
    return joined == NULL ? refuse("g_uri_join returns NULL") : take(joined, "g_uri_join", url);
}

const Library glib_library = {
    .homepage = "https://docs.gtk.org/glib/struct.Uri.html",
    .specs = {"rfc3986"},
    .counts_ports = true,
    .version = version,
    .parse = parse,
    .resolve = resolve,
    .normalize_by_scheme = normalize_by_scheme,
    .recompose = recompose,
};
