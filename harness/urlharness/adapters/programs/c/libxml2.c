/* libxml2: xmlParseURIRaw, which does not decode components. */

#include "adapter.h"

#include <libxml/parser.h>
#include <libxml/uri.h>
#include <stdlib.h>
#include <string.h>

/* The library shows this port if the authority is present but empty, and 0 if there is no port. */
static const int PORT_OF_EMPTY_AUTHORITY = -1;

static const char *version(void) {
    static char text[32];
    int number = atoi(xmlParserVersion); /* 20914 is 2.9.14 */
    snprintf(text, sizeof text, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
    return text;
}

static Refusal parse(Text url, json_t *parts) {
    xmlURI *uri = xmlParseURIRaw(url.start, 1);
    if (uri == NULL)
        return "xmlParseURIRaw returns NULL";
    bool is_empty = uri->server == NULL && uri->port == PORT_OF_EMPTY_AUTHORITY;
    put(parts, "scheme", uri->scheme);
    put(parts, "userinfo", uri->user);
    put(parts, "host", is_empty ? "" : uri->server);
    put_port(parts, uri->port > 0 ? uri->port : -1);
    put(parts, "path", uri->path == NULL ? "" : uri->path);
    put(parts, "query", uri->query_raw);
    put(parts, "fragment", uri->fragment);
    xmlFreeURI(uri);
    return NULL;
}

static Refusal take(xmlChar *text, const char *refusal, json_t **url) {
    if (text == NULL)
        return refusal;
    *url = json_text((const char *)text);
    xmlFree(text);
    return NULL;
}

static Refusal resolve(Text base, Text reference, json_t **url) {
    xmlChar *found = xmlBuildURI((const xmlChar *)reference.start, (const xmlChar *)base.start);
    return take(found, "xmlBuildURI returns NULL", url);
}

static char *decoded(const char *text) {
    return text == NULL ? NULL : xmlURIUnescapeString(text, (int)strlen(text), NULL);
}

/* The components of an xmlURI are decoded, except the query. */
static Refusal recompose(const Components *components, json_t **url) {
    xmlURI *uri = xmlCreateURI();
    uri->scheme = (char *)xmlStrdup((const xmlChar *)components->scheme);
    uri->user = decoded(components->userinfo);
    uri->server = decoded(components->host);
    uri->port = port_number(components->port, 0);
    uri->path = decoded(components->path);
    uri->query_raw = (char *)xmlStrdup((const xmlChar *)components->query);
    uri->fragment = decoded(components->fragment);
    xmlChar *found = xmlSaveUri(uri);
    xmlFreeURI(uri);
    return take(found, "xmlSaveUri returns NULL", url);
}

const Library libxml2_library = {
    .homepage = "https://gitlab.gnome.org/GNOME/libxml2",
    .specs = {"rfc2396", "rfc3986"},
    .counts_ports = true,
    .version = version,
    .parse = parse,
    .resolve = resolve,
    .recompose = recompose,
};
