/*
 * urlconform adapter for C libraries: `adapter LIBRARY RFCS`.
 *
 * RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
 * Every answer comes from the library: the adapter only translates names, and does not correct any answer.
 */

#include "adapter.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* WHATWG-like parsers have no relative form, so a reference is checked against this base. */
static const char BASE[] = "http://a/b/c/d;p?q";

/* The maximum number of digits that always fit into an int. */
static const size_t LONGEST_PORT = 9;

typedef struct {
    const char *name, *package;
    const Library *library;
} Entry;

static const Entry LIBRARIES[] = {
    {"uriparser", "liburiparser-dev", &uriparser_library},
    {"libcurl", "libcurl4-openssl-dev", &libcurl_library},
    {"libxml2", "libxml2-dev", &libxml2_library},
    {"glib", "libglib2.0-dev", &glib_library},
    {"apr", "libaprutil1-dev", &apr_library},
    {"evhttp", "libevent-dev", &evhttp_library},
    {"neon", "libneon27-gnutls-dev", &neon_library},
};

static const char *name;
static const Library *library;
static json_t *rfcs;
static bool library_failed; /* while it answers the present question */

/* ---- replies */

static json_t *accepted(void) { return json_pack("{s:s}", "status", "ok"); }

static json_t *unsupported(const char *message) {
    return json_pack("{s:s, s:s}", "status", "unsupported", "message", message);
}

static json_t *rejected(Refusal refusal) {
    json_t *reply = json_pack("{s:s}", "status", library_failed ? "error" : "reject");
    json_object_set_new(reply, "message", json_text(refusal));
    return reply;
}

static json_t *url_reply(Refusal refusal, json_t *url) {
    return refusal != NULL ? rejected(refusal) : json_pack("{s:s, s:o}", "status", "ok", "url", url);
}

Refusal fail(const char *format, ...) {
    static char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    library_failed = true;
    return message;
}

/* ---- questions */

/* Return a text of a question. `unhex` has already replaced hex by bytes. */
static Text text_of(const json_t *question, const char *field) {
    const json_t *value = json_object_get(question, field);
    return (Text){json_string_value(value), json_string_length(value)};
}

static const char *chars_of(const json_t *object, const char *field) {
    return json_string_value(json_object_get(object, field));
}

/* Replace each {"hex": ...} in an object, at any depth, by a string with these bytes. */
static void unhex(json_t *object) {
    const char *field;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, field, value) {
        const char *hex = chars_of(value, "hex");
        if (hex == NULL) {
            unhex(value);
            continue;
        }
        size_t length = strlen(hex) / 2;
        char *bytes = malloc(length + 1);
        for (size_t i = 0; i < length; i++) {
            unsigned byte = 0;
            sscanf(hex + 2 * i, "%2x", &byte);
            bytes[i] = (char)byte;
        }
        json_object_set_new(object, field, json_stringn_nocheck(bytes, length));
        free(bytes);
    }
}

/* Return true if a text in an object contains a zero byte. */
static bool has_zero(json_t *object) {
    const char *field;
    json_t *value;
    json_object_foreach(object, field, value) {
        if (json_is_string(value) && strlen(json_string_value(value)) < json_string_length(value))
            return true;
        if (has_zero(value))
            return true;
    }
    return false;
}

/* Return the form that the rule of a question requires, or NULL for a part of a URL. */
static const json_t *rule_of(const json_t *question) {
    const char *spec = chars_of(question, "spec"), *rule = chars_of(question, "rule");
    if (rule == NULL)
        rule = chars_of(json_object_get(rfcs, "default"), spec);
    return json_object_get(json_object_get(json_object_get(rfcs, "rules"), spec), rule);
}

/* ---- operations */

/*
 * Parse a text into `parts`. They are empty if it is a reference that the library can only resolve. If the
 * library also refuses to resolve the text, return why it does not parse it.
 */
static Refusal parse_text(Text text, json_t *parts) {
    Refusal refusal = library->parse(text, parts);
    if (refusal == NULL || !library->only_absolute)
        return refusal;
    json_t *url = NULL;
    json_object_clear(parts);
    Refusal of_reference = library->resolve((Text){BASE, strlen(BASE)}, text, &url);
    json_decref(url);
    return of_reference == NULL ? NULL : refusal;
}

/* Accept a text if the library accepts it, and if it has the form that the rule requires. */
static json_t *validate(const json_t *question) {
    Text text = text_of(question, "url");
    const json_t *rule = rule_of(question);
    if (rule == NULL)
        return unsupported("the library knows whole URLs only");
    json_t *parts = json_object();
    Refusal refusal = parse_text(text, parts);
    const char *scheme = chars_of(parts, "scheme"), *form = chars_of(rule, "form");
    const char *wanted = chars_of(rule, "scheme");
    if (scheme == NULL)
        scheme = "";
    if (refusal != NULL)
        ;
    else if (strcmp(form, "absolute") == 0 && *scheme == '\0')
        refusal = "it has no scheme";
    else if (strcmp(form, "relative") == 0 && *scheme != '\0')
        refusal = "it has a scheme";
    else if (!json_is_true(json_object_get(rule, "fragment")) && memchr(text.start, '#', text.length) != NULL)
        refusal = "it has a fragment";
    else if (wanted != NULL && strcasecmp(scheme, wanted) != 0)
        refusal = refuse("the scheme is %s", scheme);
    json_t *reply = refusal == NULL ? accepted() : rejected(refusal);
    if (refusal == NULL && json_object_size(parts) == 0)
        json_object_set_new(reply, "message", json_string("only with a base"));
    json_decref(parts);
    return reply;
}

/* Add components that follow from the components of the library: the userinfo and the url-path. */
static void complete(json_t *parts) {
    const char *user = chars_of(parts, "user"), *password = chars_of(parts, "password");
    const char *path = chars_of(parts, "path");
    if (json_object_get(parts, "user") != NULL && json_object_get(parts, "userinfo") == NULL) {
        char *userinfo = NULL;
        if (password != NULL && asprintf(&userinfo, "%s:%s", user == NULL ? "" : user, password) < 0)
            abort();
        put(parts, "userinfo", password == NULL ? user : userinfo);
        free(userinfo);
    }
    if (path != NULL)
        put(parts, "url-path", *path == '/' ? path + 1 : NULL);
}

/* Return the components under the names of the RFC. */
static json_t *parse(const json_t *question) {
    if (rule_of(question) == NULL)
        return unsupported("the library knows whole URLs only");
    json_t *parts = json_object(), *reply;
    Refusal refusal = parse_text(text_of(question, "url"), parts);
    if (refusal != NULL)
        reply = rejected(refusal);
    else if (json_object_size(parts) == 0)
        reply = unsupported("the library has no components of a relative reference");
    else {
        complete(parts);
        const json_t *schemes =
            json_object_get(json_object_get(rfcs, "components"), chars_of(question, "spec"));
        const char *scheme = chars_of(parts, "scheme"), *own;
        json_t *names = json_object_get(schemes, ""), *of_scheme, *part, *components = json_object();
        json_object_foreach((json_t *)schemes, own, of_scheme) {
            if (*own != '\0' && scheme != NULL && strcasecmp(own, scheme) == 0)
                names = of_scheme;
        }
        json_object_foreach(names, own, part) {
            json_t *value = json_object_get(parts, json_string_value(part));
            if (value != NULL)
                json_object_set(components, own, value);
        }
        reply = json_pack("{s:s, s:o}", "status", "ok", "components", components);
    }
    json_decref(parts);
    return reply;
}

/* Return the reference resolved against the base. */
static json_t *resolve(const json_t *question) {
    json_t *url = NULL;
    Refusal refusal = library->resolve(text_of(question, "base"), text_of(question, "reference"), &url);
    return url_reply(refusal, url);
}

/* Return the normal form. */
static json_t *normalize(const json_t *question) {
    const char *mode = chars_of(question, "mode");
    bool by_scheme = mode != NULL && strcmp(mode, "scheme") == 0;
    Refusal (*function)(Text, json_t **) = by_scheme ? library->normalize_by_scheme : library->normalize;
    if (function == NULL)
        return unsupported("the library has no such normal form");
    json_t *url = NULL;
    Refusal refusal = function(text_of(question, "url"), &url);
    return url_reply(refusal, url);
}

/* Return the text of components that have the names of RFC 3986. */
static json_t *recompose(const json_t *question) {
    const char *spec = chars_of(question, "spec");
    if (strcmp(spec, "rfc1738") == 0 || strcmp(spec, "rfc1808") == 0)
        return unsupported("the library has the components of RFC 3986");
    const json_t *given = json_object_get(question, "components");
    Components components = {
        .scheme = chars_of(given, "scheme"),
        .userinfo = chars_of(given, "userinfo"),
        .host = chars_of(given, "host"),
        .port = chars_of(given, "port"),
        .path = chars_of(given, "path"),
        .query = chars_of(given, "query"),
        .fragment = chars_of(given, "fragment"),
    };
    if (library->only_absolute && components.scheme == NULL)
        return unsupported("the library has no relative references");
    if (library->counts_ports && components.port != NULL && strlen(components.port) > LONGEST_PORT)
        return unsupported("the port is too long for a number");
    char *user = components.userinfo == NULL ? NULL : strdup(components.userinfo);
    char *colon = user == NULL ? NULL : strchr(user, ':');
    if (colon != NULL) {
        *colon = '\0';
        components.password = colon + 1;
    }
    components.user = user;
    char *host = NULL;
    bool is_encoded = components.host != NULL && strchr(components.host, '%') != NULL;
    if (is_encoded && library->decode_host != NULL) {
        if (library->decode_host(components.host, &host) != NULL) {
            free(user);
            return unsupported("the parser refuses this host, so no value of the field stands for it");
        }
        components.host = host;
    }
    json_t *url = NULL;
    Refusal refusal = library->recompose(&components, &url);
    free(user);
    free(host);
    return url_reply(refusal, url);
}

/* Return the host and the port that the client would connect to. */
static json_t *connect_to(const json_t *question) {
    json_t *components = json_object();
    Refusal refusal = library->connect(text_of(question, "url"), components);
    if (refusal == NULL)
        return json_pack("{s:s, s:o}", "status", "ok", "components", components);
    json_decref(components);
    return rejected(refusal);
}

static bool offers(const char *operation) {
    return (strcmp(operation, "validate") == 0 || strcmp(operation, "parse") == 0) ||
           (strcmp(operation, "resolve") == 0 && library->resolve != NULL) ||
           (strcmp(operation, "normalize") == 0 && (library->normalize || library->normalize_by_scheme)) ||
           (strcmp(operation, "recompose") == 0 && library->recompose != NULL) ||
           (strcmp(operation, "connect") == 0 && library->connect != NULL && library->can_connect());
}

static const struct {
    const char *name;
    json_t *(*answer)(const json_t *question);
    const char *texts[3]; /* the fields of a question that contain texts */
} OPERATIONS[] = {{"validate", validate, {"url"}},
                  {"parse", parse, {"url"}},
                  {"resolve", resolve, {"base", "reference"}},
                  {"normalize", normalize, {"url"}},
                  {"recompose", recompose, {NULL}},
                  {"connect", connect_to, {"url"}}};

static const size_t OPERATION_COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0];

/* ---- messages */

static json_t *hello(void) {
    json_t *operations = json_array(), *specs = json_array(), *modes = json_array();
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (offers(OPERATIONS[i].name))
            json_array_append_new(operations, json_string(OPERATIONS[i].name));
    for (const char *const *spec = library->specs; *spec != NULL; spec++)
        json_array_append_new(specs, json_string(*spec));
    if (library->normalize != NULL)
        json_array_append_new(modes, json_string("syntax"));
    if (library->normalize_by_scheme != NULL)
        json_array_append_new(modes, json_string("scheme"));
    return json_pack("{s:s, s:i, s:{s:s, s:s, s:s, s:s, s:s}, s:o, s:o, s:[s, s], s:o, s:i}", "type", "hello",
                     "protocol", 1, "implementation", "name", name, "version", library->version(), "language",
                     "c", "runtime", "gcc " __VERSION__, "homepage", library->homepage, "ops", operations,
                     "specs", specs, "features", "absent-vs-empty", "validate-by-parse", "modes", modes,
                     "window", 64);
}

/* Return the reply to a question, without its id. */
static json_t *answer(json_t *question) {
    const char *operation = chars_of(question, "op");
    library_failed = false;
    unhex(question);
    if (!library->takes_ranges && has_zero(question))
        return unsupported("a zero byte ends a text of the library");
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        if (strcmp(OPERATIONS[i].name, operation) != 0 || !offers(operation))
            continue;
        for (const char *const *field = OPERATIONS[i].texts; *field != NULL; field++)
            if (chars_of(question, *field) == NULL)
                return json_pack("{s:s, s:s+}", "status", "error", "message", "no ", *field);
        return OPERATIONS[i].answer(question);
    }
    return unsupported("the library has no such operation");
}

static void send(json_t *message) {
    json_dumpf(message, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(message);
}

/* Answer the messages on stdin, one JSON object per line.  Return the exit code. */
static int serve(void) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    int code = 0;
    while ((length = getline(&line, &size, stdin)) >= 0) {
        if (strspn(line, " \t\r\n") == (size_t)length)
            continue;
        json_error_t error;
        json_t *message = json_loadb(line, (size_t)length, JSON_ALLOW_NUL, &error);
        const char *type = chars_of(message, "type");
        bool ends = type != NULL && strcmp(type, "bye") == 0;
        if (message == NULL) {
            fprintf(stderr, "invalid line: %s\n", error.text);
            code = 1;
        } else if (type != NULL && strcmp(type, "hello") == 0) {
            send(hello());
        } else if (type != NULL && strcmp(type, "run") == 0) {
            json_t *reply = answer(message);
            json_object_set(reply, "id", json_object_get(message, "id"));
            send(reply);
        }
        json_decref(message);
        if (ends || code != 0)
            break;
    }
    free(line);
    return code;
}

/* Write the name of the library that crashed, and let the signal end the process. */
static void name_the_library(int signal) {
    static const char MESSAGE[] = ": the library ended the process\n";
    if (write(STDERR_FILENO, name, strlen(name)) >= 0 &&
        write(STDERR_FILENO, MESSAGE, sizeof MESSAGE - 1) >= 0)
        raise(signal);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: adapter LIBRARY RFCS\n");
        return 1;
    }
    name = arguments[1];
    for (size_t i = 0; i < sizeof LIBRARIES / sizeof LIBRARIES[0]; i++) {
        if (strcmp(LIBRARIES[i].name, name) != 0)
            continue;
        library = LIBRARIES[i].library;
        if (library == NULL) {
            fprintf(stderr, "%s is not compiled in: install %s and build again\n", name,
                    LIBRARIES[i].package);
            return 1;
        }
    }
    if (library == NULL) {
        fprintf(stderr, "%s is not a library of this adapter\n", name);
        return 1;
    }
    json_error_t error;
    rfcs = json_load_file(arguments[2], 0, &error);
    if (rfcs == NULL) {
        fprintf(stderr, "%s: %s\n", arguments[2], error.text);
        return 1;
    }
    struct sigaction action = {.sa_handler = name_the_library, .sa_flags = (int)SA_RESETHAND};
    static const int SIGNALS[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++)
        sigaction(SIGNALS[i], &action, NULL);
    int code = serve();
    json_decref(rfcs);
    return code;
}
