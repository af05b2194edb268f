/* What adapter.c knows of a library, and what the file of a library may use. */

#ifndef ADAPTER_H
#define ADAPTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The bytes of a text. A zero byte follows them. */
typedef struct {
    const char *start;
    size_t length;
} Text;

/* The message of a library about a text that it refuses, or NULL if it accepts the text. */
typedef const char *Refusal;

/* The components of a URL to write. NULL means absent. The host includes the brackets of an IP literal. */
typedef struct {
    const char *scheme, *userinfo, *user, *password, *host, *port, *path, *query, *fragment;
} Components;

/*
 * The functions of a library. A function is NULL if the library lacks it. Each function returns a refusal or
 * NULL, and writes the answer to its last argument.
 */
typedef struct {
    const char *homepage;
    const char *specs[3]; /* the RFCs that the documentation of the library claims */
    bool takes_ranges;    /* false if a zero byte ends a text of the library */
    bool only_absolute;   /* true if only the resolver accepts relative references, not the parser */
    bool counts_ports;    /* true if `recompose` needs ports as numbers */
    const char *(*version)(void);
    Refusal (*parse)(Text url, json_t *parts);
    Refusal (*resolve)(Text base, Text reference, json_t **url);
    Refusal (*normalize)(Text url, json_t **normal);           /* RFC 3986, section 6.2.2 */
    Refusal (*normalize_by_scheme)(Text url, json_t **normal); /* section 6.2.3 */
    Refusal (*recompose)(const Components *components, json_t **url);
    /* The host as the parser keeps it, if the parser decodes hosts. `adapter.c` frees it. */
    Refusal (*decode_host)(const char *host, char **decoded);
    /* The host and the port that a client connects to. `can_connect` says if this library can tell them. */
    Refusal (*connect)(Text url, json_t *parts);
    bool (*can_connect)(void);
} Library;

/* The libraries. If the Makefile has not found a library, its address is NULL. */
extern const Library uriparser_library __attribute__((weak));
extern const Library libcurl_library __attribute__((weak));
extern const Library libxml2_library __attribute__((weak));
extern const Library glib_library __attribute__((weak));
extern const Library apr_library __attribute__((weak));
extern const Library evhttp_library __attribute__((weak));
extern const Library neon_library __attribute__((weak));

/* Return a refusal with a message in the format of printf. The next call overwrites the message. */
Refusal refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Return a text for JSON: null for NULL, {"hex": ...} if the bytes are not UTF-8, otherwise a string. */
json_t *json_text(const char *text);
json_t *json_bytes(const char *start, size_t length);

/* Set a component that the library shows. NULL means absent. */
void put(json_t *parts, const char *name, const char *text);

/* Set a port that the library shows as a number. A negative number means that there is no port. */
void put_port(json_t *parts, long port);

/* Return a copy of a host without the brackets of an IP literal, or NULL for NULL. The caller frees it. */
char *without_brackets(const char *host);

/* Return a port as a number. Return `absent` for NULL and for an empty port. */
int port_number(const char *port, int absent);

/*
 * Return a refusal that is an error of the library, not of the text: the library violates its own
 * documentation. The status of the reply is `error`.
 */
Refusal fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
