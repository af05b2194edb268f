<?php
// An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
ini_set('display_errors', 'stderr'); // stdout is for answers alone
set_error_handler(fn($number, $what) => throw new ErrorException($what));
const HELLO = [
    'type' => 'hello', 'protocol' => 1, 'window' => 64, 'ops' => ['validate', 'parse'],
    'specs' => [], // the RFCs that it claims: parse_url documents that it follows none
    'implementation' => ['name' => 'parse_url', 'version' => PHP_VERSION, 'language' => 'php'],
    'features' => ['validate-by-parse', 'absent-vs-empty'], // it distinguishes http://h from http://h?
];

// Your library goes here: null is absent, "" is present but empty; leave out what it does not have.
function answer(array $q): array
{
    $known = in_array($q['spec'], ['rfc2396', 'rfc2732', 'rfc3986'])
        && in_array($q['rule'] ?? 'URI', ['URI', 'URI-reference']) && in_array($q['op'], HELLO['ops']);
    if (!$known || !is_string($q['url'])) {
        return ['status' => 'unsupported', 'message' => 'not this operation, specification, rule or bytes'];
    }
    $parts = parse_url($q['url']);
    if ($parts === false || (($q['rule'] ?? '') === 'URI' && !isset($parts['scheme']))) {
        return ['status' => 'reject', 'message' => $parts === false ? 'seriously malformed' : 'no scheme'];
    }
    $userinfo = array_intersect_key($parts, ['user' => 0, 'pass' => 0]);
    $names = ['scheme' => null, 'host' => null, 'port' => null, 'path' => '', 'query' => null, 'fragment' => null];
    $components = array_replace($names, array_map(strval(...), array_diff_key($parts, $userinfo)));
    $components['userinfo'] = $userinfo ? implode(':', $userinfo) : null;
    return ['status' => 'ok'] + ($q['op'] === 'parse' ? ['components' => $components] : []);
}
while (($line = fgets(STDIN)) !== false) {
    $q = json_decode($line, true) ?? ['type' => ''];
    try {
        $reply = $q['type'] === 'run' ? answer($q) : HELLO;
    } catch (Throwable $error) { // an exception fails only this question
        $reply = ['status' => 'error', 'message' => $error->getMessage()];
    }
    if ($q['type'] === 'bye') break;
    if ($q['type']) echo json_encode($reply + ['id' => $q['id'] ?? 0], JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
