<?php

// Print the accessors of a PHP library: `direct.php LIBRARY`, one question and one answer a line.
// Each library is called as its documentation does it; direct.toml names the page.
// In WebAssembly, environment variables name the library and the file of the questions.

/** The library refuses a text, and does not say so by an exception. */
class Refusal extends Exception {}

/** Return what methods without arguments return, by their names. */
function methods(object $object, string $names): array
{
    $accessors = [];
    foreach (explode(' ', $names) as $name) {
        $accessors[$name] = $object->$name();
    }
    return $accessors;
}

/** The function parse_url of PHP. */
final class ParseUrl
{
    public array $refusals = [Refusal::class];

    public function parse(string $url): array
    {
        $parts = parse_url($url);
        if ($parts === false) {
            throw new Refusal();
        }
        $absent = array_fill_keys(['scheme', 'user', 'pass', 'host', 'port', 'path', 'query', 'fragment'], null);
        return [...$absent, ...$parts];
    }
}

final class GuzzlePsr7
{
    public array $refusals = [GuzzleHttp\Psr7\Exception\MalformedUriException::class];

    public function __construct()
    {
        require_once 'GuzzleHttp/Psr7/autoload.php';
    }

    public function parse(string $url): array
    {
        return methods(
            new GuzzleHttp\Psr7\Uri($url),
            'getScheme getAuthority getUserInfo getHost getPort getPath getQuery getFragment',
        );
    }

    public function resolve(string $base, string $reference): string
    {
        return (string) GuzzleHttp\Psr7\UriResolver::resolve(
            new GuzzleHttp\Psr7\Uri($base),
            new GuzzleHttp\Psr7\Uri($reference),
        );
    }

    public function normalize(string $url, string $mode): string
    {
        $syntax = GuzzleHttp\Psr7\UriNormalizer::CAPITALIZE_PERCENT_ENCODING
            | GuzzleHttp\Psr7\UriNormalizer::DECODE_UNRESERVED_CHARACTERS
            | GuzzleHttp\Psr7\UriNormalizer::REMOVE_DOT_SEGMENTS;
        $scheme = GuzzleHttp\Psr7\UriNormalizer::PRESERVING_NORMALIZATIONS;
        return (string) GuzzleHttp\Psr7\UriNormalizer::normalize(
            new GuzzleHttp\Psr7\Uri($url),
            $mode === 'syntax' ? $syntax : $scheme,
        );
    }
}

final class NetUrl2
{
    public array $refusals = [Exception::class];

    public function __construct()
    {
        require_once 'Net/URL2.php';
    }

    public function parse(string $url): array
    {
        return methods(
            new Net_URL2($url),
            'getScheme getAuthority getUserinfo getUser getPassword getHost getPort getPath getQuery getFragment',
        );
    }

    public function resolve(string $base, string $reference): string
    {
        return (new Net_URL2($base))->resolve($reference)->getURL();
    }

    public function normalize(string $url): string
    {
        return (new Net_URL2($url))->getNormalizedURL();
    }
}

/** The class Uri\Rfc3986\Uri of PHP 8.5. */
final class PhpUri
{
    public array $refusals = [Uri\InvalidUriException::class];

    public function parse(string $url): array
    {
        return methods(
            new Uri\Rfc3986\Uri($url),
            'getRawScheme getRawUserInfo getRawHost getPort getRawPath getRawQuery getRawFragment',
        );
    }

    public function resolve(string $base, string $reference): string
    {
        return (new Uri\Rfc3986\Uri($base))->resolve($reference)->toRawString();
    }

    public function normalize(string $url): string
    {
        return (new Uri\Rfc3986\Uri($url))->toString();
    }
}

/** The class Uri\WhatWg\Url of PHP 8.5. */
final class PhpUrl
{
    public array $refusals = [Uri\InvalidUriException::class];

    public function parse(string $url): array
    {
        return methods(
            new Uri\WhatWg\Url($url),
            'getScheme getUsername getPassword getAsciiHost getPort getPath getQuery getFragment',
        );
    }

    public function resolve(string $base, string $reference): string
    {
        return (new Uri\WhatWg\Url($base))->resolve($reference)->toAsciiString();
    }
}

function answer(object $library, array $question): array
{
    $operation = $question['op'];
    unset($question['op']);
    if (!method_exists($library, $operation)) {
        return ['offered' => false];
    }
    try {
        $shown = $library->$operation(...array_values($question));
    } catch (Throwable $exception) {
        foreach ($library->refusals as $refusal) {
            if ($exception instanceof $refusal) {
                return ['refused' => $exception->getMessage()];
            }
        }
        return ['failed' => get_class($exception) . ': ' . $exception->getMessage()];
    }
    return $operation === 'parse' ? ['accessors' => $shown] : ['url' => $shown];
}

$classes = [
    'parse_url' => ParseUrl::class,
    'guzzle-psr7' => GuzzlePsr7::class,
    'net_url2' => NetUrl2::class,
    'php-uri-rfc3986' => PhpUri::class,
    'php-uri-whatwg' => PhpUrl::class,
];
$name = getenv('DIRECT_LIBRARY') ?: $argv[1];
$library = new $classes[$name]();
foreach (file(getenv('DIRECT_QUESTIONS') ?: 'php://stdin') as $line) {
    $answer = answer($library, json_decode($line, true));
    echo json_encode($answer, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), "\n";
}
