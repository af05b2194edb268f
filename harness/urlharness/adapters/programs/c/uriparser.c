/* uriparser: components are ranges of the text. A range is NULL if the component is absent. */

#include "adapter.h"

#include <stdlib.h>
#include <string.h>
#include <uriparser/Uri.h>

static const char *version(void) { return URI_VER_ANSI; } /* there is no function for the version */

static Refusal parse_uri(UriUriA *uri, Text text) {
    const char *position = NULL;
    if (uriParseSingleUriExA(uri, text.start, text.start + text.length, &position) == URI_SUCCESS)
        return NULL;
    return refuse("syntax error at byte %td", position == NULL ? 0 : position - text.start);
}

static void put_range(json_t *parts, const char *name, UriTextRangeA range) {
    json_t *value =
        range.first == NULL ? json_null() : json_bytes(range.first, (size_t)(range.afterLast - range.first));
    json_object_set_new(parts, name, value);
}

static bool is_ip_literal(const UriHostDataA *host) {
    return host->ip6 != NULL || host->ipFuture.first != NULL;
}

/* The path is a list of segments. If the URL has a host, a slash precedes each segment. */
static void put_path(json_t *parts, const UriUriA *uri, size_t longest) {
    char *path = malloc(longest + 2), *end = path;
    for (const UriPathSegmentA *segment = uri->pathHead; segment != NULL; segment = segment->next) {
        if (segment != uri->pathHead || uri->absolutePath || uri->hostText.first != NULL)
            *end++ = '/';
        size_t length = (size_t)(segment->text.afterLast - segment->text.first);
        memcpy(end, segment->text.first, length);
        end += length;
    }
    if (uri->pathHead == NULL && uri->absolutePath)
        *end++ = '/';
    json_object_set_new(parts, "path", json_bytes(path, (size_t)(end - path)));
    free(path);
}

static Refusal parse(Text url, json_t *parts) {
    UriUriA uri;
    Refusal refusal = parse_uri(&uri, url);
    if (refusal != NULL)
        return refusal;
    UriTextRangeA host = uri.hostText;
    if (is_ip_literal(&uri.hostData)) {
        host.first--; /* include the brackets, which are around the range in the text */
        host.afterLast++;
    }
    put_range(parts, "scheme", uri.scheme);
    put_range(parts, "userinfo", uri.userInfo);
    put_range(parts, "host", host);
    put_range(parts, "port", uri.portText);
    put_path(parts, &uri, url.length);
    put_range(parts, "query", uri.query);
    put_range(parts, "fragment", uri.fragment);
    uriFreeUriMembersA(&uri);
    return NULL;
}

static Refusal write_uri(const UriUriA *uri, json_t **url) {
    int length;
    if (uriToStringCharsRequiredA(uri, &length) != URI_SUCCESS)
        return "uriToStringCharsRequiredA fails";
    char *text = malloc((size_t)length + 1);
    Refusal refusal = uriToStringA(text, uri, length + 1, NULL) == URI_SUCCESS ? NULL : "uriToStringA fails";
    if (refusal == NULL)
        *url = json_bytes(text, (size_t)length);
    free(text);
    return refusal;
}

static Refusal resolve(Text base, Text reference, json_t **url) {
    UriUriA from, to, found;
    Refusal refusal = parse_uri(&from, base);
    if (refusal != NULL)
        return refusal;
    refusal = parse_uri(&to, reference);
    if (refusal == NULL) {
        int code = uriAddBaseUriA(&found, &to, &from);
        refusal = code == URI_SUCCESS                  ? write_uri(&found, url)
                  : code == URI_ERROR_ADDBASE_REL_BASE ? "the base is relative"
                                                       : refuse("uriAddBaseUriA returns %d", code);
        if (code == URI_SUCCESS)
            uriFreeUriMembersA(&found);
        uriFreeUriMembersA(&to);
    }
    uriFreeUriMembersA(&from);
    return refusal;
}

static Refusal normalize(Text url, json_t **normal) {
    UriUriA uri;
    Refusal refusal = parse_uri(&uri, url);
    if (refusal != NULL)
        return refusal;
    int code = uriNormalizeSyntaxA(&uri);
    refusal = code == URI_SUCCESS ? write_uri(&uri, normal) : refuse("uriNormalizeSyntaxA returns %d", code);
    uriFreeUriMembersA(&uri);
    return refusal;
}

const Library uriparser_library = {
    .homepage = "https://uriparser.github.io/",
    .specs = {"rfc3986"},
    .takes_ranges = true,
    .version = version,
    .parse = parse,
    .resolve = resolve,
    .normalize = normalize,
};
