/* https://gnome.pages.gitlab.gnome.org/libxml2/html/uri_8h.html */

#include "direct.h"

#include <libxml/uri.h>

json_t *parse(const char *url) {
    /* "allows to keep intact the original fragments": xmlParseURI decodes them */
    xmlURIPtr uri = xmlParseURIRaw(url, 1);
    if (uri == NULL)
        return answer_refused("");
    json_t *accessors =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o}", "scheme", text_or_null(uri->scheme),
                  "opaque", text_or_null(uri->opaque), "authority", text_or_null(uri->authority), "server",
                  text_or_null(uri->server), "user", text_or_null(uri->user), "port", uri->port, "path",
                  text_or_null(uri->path), "query", text_or_null(uri->query), "query_raw",
                  text_or_null(uri->query_raw), "fragment", text_or_null(uri->fragment));
    xmlFreeURI(uri);
    return answer_accessors(accessors);
}

json_t *resolve(const char *base, const char *reference) {
    xmlChar *url = xmlBuildURI((const xmlChar *)reference, (const xmlChar *)base);
    if (url == NULL)
        return answer_refused("");
    json_t *answer = answer_url((const char *)url);
    xmlFree(url);
    return answer;
}

json_t *normalize(const char *url) {
    (void)url;
    return answer_not_offered(); /* xmlNormalizeURIPath is for a path */
}
