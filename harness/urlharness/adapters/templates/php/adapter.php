<?php

// An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
// A library of IRIs adds "rfc3987" to specs, and to ops "to_uri" and "to_iri", whose answers have a url.

declare(strict_types=1);

$hello = [
    'type' => 'hello',
    'protocol' => 1,
    'window' => 64,
    'ops' => ['validate', 'parse'],
    'specs' => [], // the RFCs that it claims: parse_url documents that it follows none
    'implementation' => [
        'name' => 'parse_url',
        'version' => PHP_VERSION,
        'language' => 'php',
    ],
    // "absent-vs-empty": it distinguishes http://h from http://h?
    'features' => ['validate-by-parse', 'absent-vs-empty'],
];

// Your library goes here: null is absent, "" is present but empty; leave out what it does not have.
$answer = static function (array $question) use ($hello): array {
    $rule = $question['rule'] ?? 'URI-reference';
    $known = in_array($question['op'], $hello['ops'], true)
        && in_array($question['spec'], ['rfc2396', 'rfc2732', 'rfc3986', 'rfc3987'], true)
        && in_array($rule, ['URI', 'URI-reference', 'IRI', 'IRI-reference'], true);
    if (!$known || !is_string($question['url'])) {
        return [
            'status' => 'unsupported',
            'message' => 'not this operation, specification, rule or bytes',
        ];
    }
    $parts = parse_url($question['url']);
    if ($parts === false) {
        return ['status' => 'reject', 'message' => 'seriously malformed'];
    }
    if (in_array($rule, ['URI', 'IRI'], true) && !isset($parts['scheme'])) {
        return ['status' => 'reject', 'message' => 'no scheme'];
    }
    if ($question['op'] === 'validate') {
        return ['status' => 'ok'];
    }
    $userinfo = $parts['user'] ?? null;
    if (isset($parts['pass'])) {
        $userinfo .= ":{$parts['pass']}";
    }
    return [
        'status' => 'ok',
        'components' => [
            'scheme' => $parts['scheme'] ?? null,
            'userinfo' => $userinfo,
            'host' => $parts['host'] ?? null,
            'port' => isset($parts['port']) ? (string) $parts['port'] : null,
            'path' => $parts['path'] ?? '',
            'query' => $parts['query'] ?? null,
            'fragment' => $parts['fragment'] ?? null,
        ],
    ];
};

ini_set('display_errors', 'stderr'); // stdout is only for answers
set_error_handler(fn (int $level, string $what) => throw new ErrorException($what));
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    if ($message === null) {
        continue;
    }
    if ($message['type'] === 'bye') {
        break;
    }
    try {
        $reply = $message['type'] === 'hello' ? $hello : $answer($message);
    } catch (Throwable $error) { // an exception fails only this question
        $reply = ['status' => 'error', 'message' => $error->getMessage()];
    }
    echo json_encode($reply + ['id' => $message['id'] ?? 0], JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
