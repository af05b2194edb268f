/* What adapter.c knows of a library, and what the file of a library may use. */

#ifndef ADAPTER_H
#define ADAPTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The bytes of a text, which a zero byte follows. */
typedef struct {
    const char *start;
    size_t length;
} Text;

/* NULL, or the message of a library about a text that it refuses. */
typedef const char *Refusal;

/* The components of a URL to write; NULL is absent. The host has the brackets of an IP literal. */
typedef struct {
    const char *scheme, *userinfo, *user, *password, *host, *port, *path, *query, *fragment;
} Components;

/*
 * What a library offers; NULL for a function that it lacks. Each function returns a refusal, and writes its
 * answer to its last argument.
 */
typedef struct {
    const char *homepage;
    const char *specs[3]; /* the RFCs that its documentation claims */
    bool takes_ranges;    /* false if a zero byte ends its texts */
    bool only_absolute;   /* its parser knows no relative reference, its resolver does */
    bool counts_ports;    /* its ports are numbers to write */
    const char *(*version)(void);
    Refusal (*parse)(Text url, json_t *parts);
    Refusal (*resolve)(Text base, Text reference, json_t **url);
    Refusal (*normalize)(Text url, json_t **normal);           /* RFC 3986, section 6.2.2 */
    Refusal (*normalize_by_scheme)(Text url, json_t **normal); /* section 6.2.3 */
    Refusal (*recompose)(const Components *components, json_t **url);
} Library;

/* The libraries; one that the Makefile has not found has no address. */
extern const Library uriparser_library __attribute__((weak));
extern const Library libcurl_library __attribute__((weak));
extern const Library libxml2_library __attribute__((weak));
extern const Library glib_library __attribute__((weak));
extern const Library apr_library __attribute__((weak));
extern const Library evhttp_library __attribute__((weak));
extern const Library neon_library __attribute__((weak));

/* Return a refusal with a message in the manner of printf; the next call overwrites it. */
Refusal refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Return a text for JSON: a string, or {"hex": ...} if the bytes are not UTF-8; null for NULL. */
json_t *json_text(const char *text);
json_t *json_bytes(const char *start, size_t length);

/* Set a component that the library shows; NULL is absent. */
void put(json_t *parts, const char *name, const char *text);

/* Set a port that the library shows as a number, which is negative if there is none. */
void put_port(json_t *parts, long port);

/* Return a copy of a host without the brackets of an IP literal; the caller frees it. NULL stays NULL. */
char *without_brackets(const char *host);

/* Return a port as a number, and `absent` for NULL and the empty port. */
int port_number(const char *port, int absent);

/* End the process, because a library broke its own contract. */
_Noreturn void broken(const char *what);

#endif
