/* libcurl: its URL API, with any scheme. It changes a URL while it parses the URL. */

#include "adapter.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned FLAGS = CURLU_NON_SUPPORT_SCHEME;

static const struct {
    const char *name;
    CURLUPart part;
} PARTS[] = {
    {"scheme", CURLUPART_SCHEME}, {"user", CURLUPART_USER},         {"password", CURLUPART_PASSWORD},
    {"host", CURLUPART_HOST},     {"port", CURLUPART_PORT},         {"path", CURLUPART_PATH},
    {"query", CURLUPART_QUERY},   {"fragment", CURLUPART_FRAGMENT},
};

static const char *version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

static Refusal refusal_of(CURLUcode code) { return code == CURLUE_OK ? NULL : curl_url_strerror(code); }

/* Return true if a code says that a component is absent. */
static bool is_absent(CURLUcode code) { return code >= CURLUE_NO_SCHEME && code <= CURLUE_NO_FRAGMENT; }

/* Set the host with its zone, as CURLUPART_URL contains them. CURLUPART_HOST omits the zone. */
static void put_zone(json_t *parts, CURLU *handle) {
    const char *host = json_string_value(json_object_get(parts, "host"));
    char *zone = NULL, *literal = NULL;
    if (host == NULL || curl_url_get(handle, CURLUPART_ZONEID, &zone, 0) != CURLUE_OK)
        return;
    if (asprintf(&literal, "%.*s%%25%s]", (int)strlen(host) - 1, host, zone) < 0)
        abort();
    put(parts, "host", literal);
    free(literal);
    curl_free(zone);
}

static Refusal parse(Text url, json_t *parts) {
    CURLU *handle = curl_url();
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, url.start, FLAGS);
    for (size_t i = 0; code == CURLUE_OK && i < sizeof PARTS / sizeof PARTS[0]; i++) {
        char *text = NULL;
        code = curl_url_get(handle, PARTS[i].part, &text, 0);
        if (is_absent(code))
            code = CURLUE_OK;
        put(parts, PARTS[i].name, text);
        curl_free(text);
    }
    if (code == CURLUE_OK)
        put_zone(parts, handle);
    curl_url_cleanup(handle);
    return refusal_of(code);
}

/* CURLUPART_HOST is decoded: CURLUPART_URL encodes every "%" of it. */
static Refusal decode_host(const char *host, char **decoded) {
    char *url = NULL, *text = NULL;
    if (asprintf(&url, "http://%s/", host) < 0)
        abort();
    CURLU *handle = curl_url();
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, url, FLAGS);
    if (code == CURLUE_OK)
        code = curl_url_get(handle, CURLUPART_HOST, &text, 0);
    if (code == CURLUE_OK)
        *decoded = strdup(text);
    curl_free(text);
    curl_url_cleanup(handle);
    free(url);
    return refusal_of(code);
}

static CURLUcode get_url(CURLU *handle, json_t **url) {
    char *text = NULL;
    CURLUcode code = curl_url_get(handle, CURLUPART_URL, &text, FLAGS);
    if (code == CURLUE_OK)
        *url = json_text(text);
    curl_free(text);
    return code;
}

static Refusal resolve(Text base, Text reference, json_t **url) {
    CURLU *handle = curl_url();
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, base.start, FLAGS);
    if (code == CURLUE_OK)
        code = curl_url_set(handle, CURLUPART_URL, reference.start, FLAGS);
    if (code == CURLUE_OK)
        code = get_url(handle, url);
    curl_url_cleanup(handle);
    return refusal_of(code);
}

static Refusal recompose(const Components *components, json_t **url) {
    const char *const values[] = {components->scheme, components->user,    components->password,
                                  components->host,   components->port,    components->path,
                                  components->query,  components->fragment};
    CURLU *handle = curl_url();
    CURLUcode code = CURLUE_OK;
    for (size_t i = 0; code == CURLUE_OK && i < sizeof PARTS / sizeof PARTS[0]; i++)
        if (values[i] != NULL)
            code = curl_url_set(handle, PARTS[i].part, values[i], FLAGS);
    if (code == CURLUE_OK)
        code = get_url(handle, url);
    curl_url_cleanup(handle);
    return refusal_of(code);
}

const Library libcurl_library = {
    .homepage = "https://curl.se/libcurl/",
    .specs = {"rfc3986"},
    .only_absolute = true,
    .version = version,
    .parse = parse,
    .resolve = resolve,
    .recompose = recompose,
    .decode_host = decode_host,
};
