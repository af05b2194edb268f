/* The three functions of each library. They return an answer as README.md describes it. */

#ifndef DIRECT_H
#define DIRECT_H

#include <jansson.h>

json_t *parse(const char *url);
json_t *resolve(const char *base, const char *reference);
json_t *normalize(const char *url);

/* {"accessors": ACCESSORS} */
json_t *answer_accessors(json_t *accessors);

/* {"url": URL} */
json_t *answer_url(const char *url);

/* {"refused": MESSAGE}; the message is empty if the library has none */
json_t *answer_refused(const char *message);

/* {"failed": MESSAGE} */
json_t *answer_failed(const char *message);

/* {"offered": false} */
json_t *answer_not_offered(void);

/* A text, or null if the library returns a null pointer. */
json_t *text_or_null(const char *text);

#endif
