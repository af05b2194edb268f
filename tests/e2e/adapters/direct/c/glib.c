/* https://docs.gtk.org/glib/struct.Uri.html */

#include "direct.h"

#include <glib.h>

static json_t *refused(GError *error) {
    json_t *answer = answer_refused(error->message);
    g_error_free(error);
    return answer;
}

json_t *parse(const char *url) {
    gchar *scheme;
    gchar *userinfo;
    gchar *host;
    gint port;
    gchar *path;
    gchar *query;
    gchar *fragment;
    GError *error = NULL;
    /* g_uri_split parses references too; without G_URI_FLAGS_ENCODED it decodes the components */
    if (!g_uri_split(url, G_URI_FLAGS_ENCODED, &scheme, &userinfo, &host, &port, &path, &query, &fragment,
                     &error))
        return refused(error);
    json_t *accessors =
        json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "scheme", text_or_null(scheme), "userinfo",
                  text_or_null(userinfo), "host", text_or_null(host), "port", port, "path",
                  text_or_null(path), "query", text_or_null(query), "fragment", text_or_null(fragment));
    g_free(scheme);
    g_free(userinfo);
    g_free(host);
    g_free(path);
    g_free(query);
    g_free(fragment);
    return answer_accessors(accessors);
}

json_t *resolve(const char *base, const char *reference) {
    GError *error = NULL;
    gchar *url = g_uri_resolve_relative(base, reference, G_URI_FLAGS_NONE, &error);
    if (url == NULL && error == NULL)
        return answer_failed("g_uri_resolve_relative returns NULL without an error");
    if (url == NULL)
        return refused(error);
    json_t *answer = answer_url(url);
    g_free(url);
    return answer;
}

json_t *normalize(const char *url) {
    GError *error = NULL;
    GUri *uri = g_uri_parse(url, G_URI_FLAGS_ENCODED | G_URI_FLAGS_SCHEME_NORMALIZE, &error);
    if (uri == NULL)
        return refused(error);
    gchar *text = g_uri_to_string(uri);
    json_t *answer = text == NULL ? answer_failed("g_uri_to_string returns NULL") : answer_url(text);
    g_free(text);
    g_uri_unref(uri);
    return answer;
}
