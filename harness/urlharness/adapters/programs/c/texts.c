/* Helpers for texts, components and refusals. */

#include "adapter.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Refusal refuse(const char *format, ...) {
    static char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return message;
}

json_t *json_text(const char *text) { return text == NULL ? json_null() : json_bytes(text, strlen(text)); }

json_t *json_bytes(const char *start, size_t length) {
    json_t *string = json_stringn(start, length);
    if (string != NULL)
        return string;
    char *hex = malloc(2 * length + 1);
    for (size_t i = 0; i < length; i++)
        sprintf(hex + 2 * i, "%02x", (unsigned char)start[i]);
    json_t *bytes = json_pack("{s:s}", "hex", hex);
    free(hex);
    return bytes;
}

void put(json_t *parts, const char *name, const char *text) {
    json_object_set_new(parts, name, json_text(text));
}

void put_port(json_t *parts, long port) {
    char text[24];
    snprintf(text, sizeof text, "%ld", port);
    put(parts, "port", port < 0 ? NULL : text);
}

char *without_brackets(const char *host) {
    if (host == NULL)
        return NULL;
    size_t length = strlen(host);
    bool literal = strchr(host, ':') != NULL && host[0] == '[' && host[length - 1] == ']';
    return literal ? strndup(host + 1, length - 2) : strdup(host);
}

int port_number(const char *port, int absent) {
    return port == NULL || *port == '\0' ? absent : (int)strtol(port, NULL, 10);
}
