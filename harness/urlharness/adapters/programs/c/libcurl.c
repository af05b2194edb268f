/*
 * libcurl: its URL API, with any scheme. It changes a URL while it parses the URL.
 *
 * `connect` starts a transfer, but contacts nothing: this program has its own `getaddrinfo`, which libcurl
 * then calls instead of that of the C library, and opens no socket.
 */

#include "adapter.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <locale.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Set the host with its zone, if the URL has one. CURLUPART_HOST omits the zone. */
static void put_zone(json_t *parts, CURLU *handle, const char *separator) {
    const char *host = json_string_value(json_object_get(parts, "host"));
    char *zone = NULL, *literal = NULL;
    if (host == NULL || curl_url_get(handle, CURLUPART_ZONEID, &zone, 0) != CURLUE_OK)
        return;
    if (asprintf(&literal, "%.*s%s%s]", (int)strlen(host) - 1, host, separator, zone) < 0)
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
        put_zone(parts, handle, "%25"); /* as CURLUPART_URL contains it */
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

/* ---- what a transfer connects to */

/* The host and the port that libcurl asks the resolver for. The host is NULL if it asks for none. */
static struct {
    char *host, *port;
} asked;

/* The first address to which libcurl opens a socket. The family is AF_UNSPEC if it opens none. */
static union {
    struct sockaddr_storage any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
} address;

/* Replace the resolver of the C library: note what it is asked for, and find nothing. */
int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
    (void)hints, (void)found;
    /* libcurl calls this in a thread of its own, and waits for it */
    if (asked.host == NULL && host != NULL) {
        asked.host = strdup(host);
        asked.port = port == NULL ? NULL : strdup(port);
    }
    return EAI_NONAME;
}

static curl_socket_t note_socket(void *data, curlsocktype purpose, struct curl_sockaddr *socket) {
    (void)data, (void)purpose;
    if (address.any.ss_family == AF_UNSPEC && socket->addrlen <= sizeof address)
        memcpy(&address, &socket->addr, socket->addrlen);
    return CURL_SOCKET_BAD;
}

/* libcurl resolves these names to the loopback addresses without a resolver (RFC 6761, section 6.3). */
static bool is_local_name(const char *host) {
    static const char SUFFIX[] = ".localhost";
    size_t length = strlen(host), end = sizeof SUFFIX - 1;
    return strcasecmp(host, SUFFIX + 1) == 0 ||
           (length > end && strcasecmp(host + length - end, SUFFIX) == 0);
}

/* Set the host and the port of the noted address. `handle` is the URL of the transfer. */
static void put_address(json_t *parts, CURLU *handle) {
    char text[INET6_ADDRSTRLEN] = "", *host = NULL;
    unsigned flags = 0;
#ifdef CURLU_PUNYCODE
    flags = CURLU_PUNYCODE;
#endif
    bool is_ipv6 = address.any.ss_family == AF_INET6;
    put(parts, "host", inet_ntop(AF_INET, &address.ipv4.sin_addr, text, sizeof text));
    if (curl_url_get(handle, CURLUPART_HOST, &host, flags) == CURLUE_OK && (is_ipv6 || is_local_name(host)))
        put(parts, "host", host); /* an IPv6 address has many spellings, of which this is that of libcurl */
    curl_free(host);
    if (is_ipv6)
        put_zone(parts, handle, "%"); /* RFC 4007, section 11.2 */
    put_port(parts, ntohs(is_ipv6 ? address.ipv6.sin6_port : address.ipv4.sin_port));
}

/* Start a transfer, and return why it fails before it has anything to connect to. */
static Refusal transfer(Text url) {
    static char message[CURL_ERROR_SIZE];
    static CURL *handle;
    if (handle == NULL) {
        /* libcurl maps hosts by IDNA only in the character set of the locale, as the command curl sets it */
        setlocale(LC_CTYPE, "C.UTF-8");
        handle = curl_easy_init();
    }
    curl_easy_reset(handle);
    curl_easy_setopt(handle, CURLOPT_URL, url.start);
    curl_easy_setopt(handle, CURLOPT_PROXY, ""); /* none of the environment */
    curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    curl_easy_setopt(handle, CURLOPT_DNS_CACHE_TIMEOUT, 0L); /* a resolver that is asked each time */
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, note_socket);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, message);
    *message = '\0';
    CURLcode code = curl_easy_perform(handle);
    return *message == '\0' ? curl_easy_strerror(code) : message;
}

static Refusal connect_to(Text url, json_t *parts) {
    static const unsigned TRANSFER_FLAGS = CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME;
    CURLU *handle = curl_url();
    char *scheme = NULL;
    free(asked.host);
    free(asked.port);
    asked.host = asked.port = NULL;
    address.any.ss_family = AF_UNSPEC;
    curl_url_set(handle, CURLUPART_URL, url.start, TRANSFER_FLAGS);
    curl_url_get(handle, CURLUPART_SCHEME, &scheme, 0);
    bool is_file = scheme != NULL && strcmp(scheme, "file") == 0; /* a transfer would open it */
    Refusal refusal = is_file ? "it connects to nothing" : transfer(url);
    if (asked.host != NULL) {
        put(parts, "host", asked.host);
        put(parts, "port", asked.port);
    } else if (address.any.ss_family != AF_UNSPEC)
        put_address(parts, handle);
    curl_free(scheme);
    curl_url_cleanup(handle);
    return json_object_size(parts) == 0 ? refusal : NULL;
}

/* libcurl with the resolver c-ares asks the name servers itself, and calls no `getaddrinfo`. */
static bool calls_getaddrinfo(void) { return curl_version_info(CURLVERSION_NOW)->ares == NULL; }

const Library libcurl_library = {
    .homepage = "https://curl.se/libcurl/",
    .specs = {"rfc3986"},
    .only_absolute = true,
    .version = version,
    .parse = parse,
    .resolve = resolve,
    .recompose = recompose,
    .decode_host = decode_host,
    .connect = connect_to,
    .can_connect = calls_getaddrinfo,
};
