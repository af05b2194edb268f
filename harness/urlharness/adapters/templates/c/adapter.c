/* An adapter for urlconform, protocol 1: questions on stdin, answers on stdout,
   one JSON object per line. A library of IRIs adds "rfc3987" to specs, and to
   ops "to_uri" and "to_iri", whose answers have a url. */
#include <jansson.h> /* apt-get install libjansson-dev, brew install jansson */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char HELLO[] =
    "{\"type\": \"hello\", \"protocol\": 1, \"window\": 64,"
    " \"ops\": [\"parse\"],"
    " \"specs\": [\"rfc3986\"],"
    /* it distinguishes http://h from http://h? */
    " \"features\": [\"absent-vs-empty\"],"
    " \"implementation\": {"
    "\"name\": \"splitter of the template\","
    "\"version\": \"1\","
    "\"language\": \"c\"}}";

static json_t *unsupported(const char *why) {
  return json_pack("{s:s, s:s}", "status", "unsupported", "message", why);
}

/* Returns the text behind a delimiter, up to a stop, and moves `rest` there. */
static json_t *part(const char **rest, size_t delimiter, const char *stop) {
  const char *begin = *rest + delimiter;
  *rest = begin + strcspn(begin, stop);
  return json_stringn(begin, (size_t)(*rest - begin));
}

static void set(json_t *components, const char *name, json_t *value) {
  json_object_set_new(components, name, value != NULL ? value : json_null());
}

/* Splits an authority at its last @ and at the colon after the host. */
static void set_authority(json_t *components, const char *text) {
  const char *end = text + strlen(text), *host = text, *colon = end;
  for (const char *at = text; at < end; at++) {
    if (*at == '@') {
      host = at + 1;
    }
    if (*at == '@' || *at == ']') {
      colon = end;
    } else if (*at == ':' && colon == end) {
      colon = at;
    }
  }
  if (host > text) {
    set(components, "userinfo", json_stringn(text, (size_t)(host - text) - 1));
  }
  set(components, "host", json_stringn(host, (size_t)(colon - host)));
  if (colon < end) {
    set(components, "port", json_string(colon + 1));
  }
}

/* Your library goes here: null is absent, "" is present but empty; leave out
   what it does not have. One that can refuse answers with status "reject";
   then "validate" belongs into ops, too. */
static json_t *answer(const json_t *question, const char *op,
                      const char *spec) {
  const json_t *url = json_object_get(question, "url");
  const char *rest = json_string_value(url); /* NULL for bytes */
  bool known = strcmp(op, "parse") == 0 &&
               strstr("rfc2396 rfc2732 rfc3986 rfc3987", spec) != NULL &&
               json_object_get(question, "rule") == NULL;
  if (!known || rest == NULL) {
    return unsupported("not this operation, specification, rule or bytes");
  }
  if (strlen(rest) != json_string_length(url)) {
    return unsupported("strings of C end at NUL");
  }
  /* RFC 3986, appendix B */
  json_t *scheme = NULL, *query = NULL, *fragment = NULL;
  json_t *components = json_object();
  set(components, "userinfo", NULL);
  set(components, "host", NULL);
  set(components, "port", NULL);
  size_t first = strcspn(rest, ":/?#");
  if (first > 0 && rest[first] == ':') {
    scheme = part(&rest, 0, ":");
    rest++;
  }
  if (strncmp(rest, "//", 2) == 0) {
    json_t *authority = part(&rest, 2, "/?#");
    set_authority(components, json_string_value(authority));
    json_decref(authority);
  }
  json_t *path = part(&rest, 0, "?#");
  if (*rest == '?') {
    query = part(&rest, 1, "#");
  }
  if (*rest == '#') {
    fragment = part(&rest, 1, "");
  }
  set(components, "scheme", scheme);
  set(components, "path", path);
  set(components, "query", query);
  set(components, "fragment", fragment);
  return json_pack("{s:s, s:o}", "status", "ok", "components", components);
}

static void write_line(const json_t *reply) {
  json_dumpf(reply, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
  putchar('\n');
  fflush(stdout);
}

int main(void) {
  const size_t flags = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL;
  json_t *question;
  while ((question = json_loadf(stdin, flags, NULL)) != NULL) {
    const char *type = "", *op = "", *spec = "";
    json_unpack(question, "{s?s, s?s, s?s}", "type", &type, "op", &op, "spec",
                &spec);
    if (strcmp(type, "bye") == 0) {
      json_decref(question);
      break;
    }
    json_t *reply = strcmp(type, "hello") == 0 ? json_loads(HELLO, 0, NULL)
                                               : answer(question, op, spec);
    json_object_set(reply, "id", json_object_get(question, "id"));
    write_line(reply);
    json_decref(reply);
    json_decref(question);
  }
  return 0;
}
