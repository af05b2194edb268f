/* https://uriparser.github.io/doc/api/latest/ */

#include "direct.h"

#include <stdlib.h>
#include <uriparser/Uri.h>

static json_t *text_of(UriTextRangeA range) {
    if (range.first == NULL)
        return json_null();
    return json_stringn(range.first, (size_t)(range.afterLast - range.first));
}

static json_t *segments_of(const UriUriA *uri) {
    json_t *segments = json_array();
    /* the path "/" without a host has no segments, with a host it has an empty one */
    if (uri->absolutePath && uri->pathHead == NULL)
        json_array_append_new(segments, json_string(""));
    for (UriPathSegmentA *segment = uri->pathHead; segment != NULL; segment = segment->next)
        json_array_append_new(segments, text_of(segment->text));
    return segments;
}

static json_t *answer_uri(const UriUriA *uri) {
    int length;
    int code = uriToStringCharsRequiredA(uri, &length);
    if (code != URI_SUCCESS)
        return answer_refused("");
    char *url = malloc((size_t)length + 1);
    code = uriToStringA(url, uri, length + 1, NULL);
    json_t *answer = code == URI_SUCCESS ? answer_url(url) : answer_refused("");
    free(url);
    return answer;
}

json_t *parse(const char *url) {
    UriUriA uri;
    const char *error;
    int code = uriParseSingleUriA(&uri, url, &error);
    if (code != URI_SUCCESS)
        return answer_refused("");
    json_t *accessors =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "scheme", text_of(uri.scheme), "userInfo",
                  text_of(uri.userInfo), "hostText", text_of(uri.hostText), "portText", text_of(uri.portText),
                  "pathHead", segments_of(&uri),
                  /* absolutePath is always false for URIs with host: their paths are absolute */
                  "absolutePath or host", uri.absolutePath || uri.hostText.first != NULL, "query",
                  text_of(uri.query), "fragment", text_of(uri.fragment));
    uriFreeUriMembersA(&uri);
    return answer_accessors(accessors);
}

json_t *resolve(const char *base, const char *reference) {
    UriUriA base_uri;
    UriUriA reference_uri;
    UriUriA absolute_uri;
    const char *error;
    int code = uriParseSingleUriA(&base_uri, base, &error);
    if (code == URI_SUCCESS)
        code = uriParseSingleUriA(&reference_uri, reference, &error);
    if (code != URI_SUCCESS)
        return answer_refused("");
    code = uriAddBaseUriA(&absolute_uri, &reference_uri, &base_uri);
    if (code != URI_SUCCESS)
        return answer_refused("");
    json_t *answer = answer_uri(&absolute_uri);
    uriFreeUriMembersA(&absolute_uri);
    uriFreeUriMembersA(&reference_uri);
    uriFreeUriMembersA(&base_uri);
    return answer;
}

json_t *normalize(const char *url) {
    UriUriA uri;
    const char *error;
    int code = uriParseSingleUriA(&uri, url, &error);
    if (code != URI_SUCCESS)
        return answer_refused("");
    code = uriNormalizeSyntaxA(&uri);
    if (code != URI_SUCCESS)
        return answer_refused("");
    json_t *answer = answer_uri(&uri);
    uriFreeUriMembersA(&uri);
    return answer;
}
