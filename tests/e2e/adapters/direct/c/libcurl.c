/* https://curl.se/libcurl/c/curl_url_get.html */

#include "direct.h"

#include <curl/curl.h>
#include <string.h>

typedef struct {
    const char *name;
    CURLUPart part;
} Part;

static const Part PARTS[] = {
    {"CURLUPART_SCHEME", CURLUPART_SCHEME},     {"CURLUPART_USER", CURLUPART_USER},
    {"CURLUPART_PASSWORD", CURLUPART_PASSWORD}, {"CURLUPART_OPTIONS", CURLUPART_OPTIONS},
    {"CURLUPART_HOST", CURLUPART_HOST},         {"CURLUPART_ZONEID", CURLUPART_ZONEID},
    {"CURLUPART_PORT", CURLUPART_PORT},         {"CURLUPART_PATH", CURLUPART_PATH},
    {"CURLUPART_QUERY", CURLUPART_QUERY},       {"CURLUPART_FRAGMENT", CURLUPART_FRAGMENT},
};

/* The host as CURLUPART_URL writes it: CURLUPART_HOST is without the zone of an IPv6 address. */
static json_t *host_with_zone(CURLU *handle) {
    char *host = NULL;
    char *zone = NULL;
    curl_url_get(handle, CURLUPART_HOST, &host, 0);
    curl_url_get(handle, CURLUPART_ZONEID, &zone, 0);
    json_t *text = text_or_null(host);
    if (zone != NULL) {
        json_decref(text);
        text = json_sprintf("%.*s%%25%s]", (int)strlen(host) - 1, host, zone);
    }
    curl_free(host);
    curl_free(zone);
    return text;
}

json_t *parse(const char *url) {
    CURLU *handle = curl_url();
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, url, 0);
    if (code != CURLUE_OK)
        return answer_refused(curl_url_strerror(code));
    json_t *accessors = json_object();
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        char *text = NULL;
        curl_url_get(handle, PARTS[i].part, &text, 0);
        json_object_set_new(accessors, PARTS[i].name, text_or_null(text));
        curl_free(text);
    }
    json_object_set_new(accessors, "host with zone", host_with_zone(handle));
    curl_url_cleanup(handle);
    return answer_accessors(accessors);
}

json_t *resolve(const char *base, const char *reference) {
    CURLU *handle = curl_url();
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, base, 0);
    if (code == CURLUE_OK)
        code = curl_url_set(handle, CURLUPART_URL, reference, 0);
    char *url = NULL;
    if (code == CURLUE_OK)
        code = curl_url_get(handle, CURLUPART_URL, &url, 0);
    curl_url_cleanup(handle);
    return code == CURLUE_OK ? answer_url(url) : answer_refused(curl_url_strerror(code));
}

json_t *normalize(const char *url) {
    (void)url;
    return answer_not_offered();
}
