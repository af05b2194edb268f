/* An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line. */
#include <jansson.h> /* JSON: apt-get install libjansson-dev, brew install jansson */
#include <string.h>
static const char HELLO[] = "{\"type\":\"hello\",\"protocol\":1,\"window\":64,\"ops\":[\"parse\"],"
    "\"specs\":[\"rfc3986\"],\"features\":[\"absent-vs-empty\"]," /* it distinguishes http://h from http://h? */
    "\"implementation\":{\"name\":\"splitter of the template\",\"version\":\"1\",\"language\":\"c\"}}";

static json_t *part(const char **rest, size_t delimiter, const char *stop) { /* after a delimiter, up to a stop */
    const char *begin = *rest + delimiter;
    return *rest = begin + strcspn(begin, stop), json_stringn(begin, (size_t)(*rest - begin));
}

/* Your library goes here: null is absent, "" is present but empty; leave out what it does not have.
   One that can refuse answers with status "reject"; then "validate" belongs into ops, too. */
static json_t *answer(const json_t *q, const char *op, const char *spec, const json_t *url) {
    const char *rest = json_string_value(url); /* NULL for bytes; strings of C end at NUL */
    int known = !strcmp(op, "parse") && strstr("rfc2396 rfc2732 rfc3986", spec) && !json_object_get(q, "rule");
    if (!known || !rest || strlen(rest) != json_string_length(url))
        return json_pack("{s:s, s:s}", "status", "unsupported", "message", "not this operation, rule, bytes or NUL");
    json_t *scheme = NULL, *authority = NULL, *path, *query = NULL, *fragment = NULL; /* RFC 3986, appendix B */
    if (strcspn(rest, ":/?#") && rest[strcspn(rest, ":/?#")] == ':') scheme = part(&rest, 0, ":"), rest++;
    if (!strncmp(rest, "//", 2)) authority = part(&rest, 2, "/?#");
    path = part(&rest, 0, "?#");
    if (*rest == '?') query = part(&rest, 1, "#");
    if (*rest == '#') fragment = part(&rest, 1, "");
    return json_pack("{s:s, s:{s:o?, s:o?, s:o, s:o?, s:o?}}", "status", "ok", "components", "scheme", scheme,
        "authority", authority, "path", path, "query", query, "fragment", fragment);
}

int main(void) {
    for (json_t *q, *reply; (q = json_loadf(stdin, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, NULL)); json_decref(q)) {
        const char *type = "", *op = "", *spec = "";
        json_unpack(q, "{s?s, s?s, s?s}", "type", &type, "op", &op, "spec", &spec);
        if (!strcmp(type, "bye")) break;
        reply = strcmp(type, "hello") ? answer(q, op, spec, json_object_get(q, "url")) : json_loads(HELLO, 0, NULL);
        json_object_set(reply, "id", json_object_get(q, "id"));
        json_dumpf(reply, stdout, JSON_COMPACT | JSON_ENSURE_ASCII), putchar('\n'), fflush(stdout), json_decref(reply);
    }
}
