/* Answer one question a line. The other file of the program calls the library. */

#include "direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *answer_accessors(json_t *accessors) { return json_pack("{s:o}", "accessors", accessors); }

json_t *answer_url(const char *url) { return json_pack("{s:s}", "url", url); }

json_t *answer_refused(const char *message) { return json_pack("{s:s}", "refused", message); }

json_t *answer_failed(const char *message) { return json_pack("{s:s}", "failed", message); }

json_t *answer_not_offered(void) { return json_pack("{s:b}", "offered", 0); }

json_t *text_or_null(const char *text) { return text == NULL ? json_null() : json_string(text); }

static const char *field(const json_t *question, const char *name) {
    return json_string_value(json_object_get(question, name));
}

static json_t *answer(const json_t *question) {
    const char *operation = field(question, "op");
    if (strcmp(operation, "parse") == 0)
        return parse(field(question, "url"));
    if (strcmp(operation, "resolve") == 0)
        return resolve(field(question, "base"), field(question, "reference"));
    return normalize(field(question, "url"));
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) != -1) {
        json_t *question = json_loads(line, 0, NULL);
        json_t *printed = answer(question);
        if (printed == NULL) {
            fputs("the answer is not JSON\n", stderr);
            return EXIT_FAILURE;
        }
        json_dumpf(printed, stdout, JSON_COMPACT);
        putchar('\n');
        fflush(stdout);
        json_decref(printed);
        json_decref(question);
    }
    free(line);
    return EXIT_SUCCESS;
}
