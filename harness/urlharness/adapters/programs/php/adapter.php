<?php

// urlconform adapter for PHP libraries: php adapter.php LIBRARY RFCS.
//
// RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
// Every answer comes from the library: the adapter only translates names, and does not correct any answer.

declare(strict_types=1);

use GuzzleHttp\Psr7\Uri;
use GuzzleHttp\Psr7\UriNormalizer;
use GuzzleHttp\Psr7\UriResolver;

/** The library refuses the text. The adapter throws it if the library reports the refusal in a value. */
final class Refusal extends RuntimeException
{
}

/** The library has no answer to the question. */
final class Unsupported extends RuntimeException
{
}

/**
 * A library, as methods that take texts: `parse`, and optionally `resolve`, `normalize`, `equivalent` and
 * `recompose`. If `parse` refuses relative references, `check` refuses only those that no base allows.
 */
abstract class Library
{
    /** The Debian package whose version is the version of the library. It is empty for a part of PHP. */
    public const PACKAGE = '';
    public const HOMEPAGE = '';
    /** The RFCs that the documentation of the library claims. */
    public const SPECS = [];
    /** True if the library distinguishes empty components from absent ones. */
    public const TELLS_EMPTY = false;
    /** The modes in which the library normalizes and compares. */
    public const MODES = ['syntax', 'scheme'];
    /** True if the library does not refuse any text. Then the adapter does not offer `validate`. */
    public const LENIENT = false;

    /**
     * Return the components that the library shows, by the names of RFC 3986. Null means absent.
     *
     * @return array<string, ?string>
     */
    abstract public function parse(string $text): array;

    /** Return true for an exception with which the library refuses a text. All others are errors. */
    public function refuses(Throwable $error): bool
    {
        return false;
    }
}

final class ParseUrl extends Library
{
    public const HOMEPAGE = 'https://www.php.net/parse_url';
    public const TELLS_EMPTY = true;

    public function parse(string $text): array
    {
        $parts = parse_url($text);
        if ($parts === false) {
            throw new Refusal('parse_url returns false');
        }
        return [
            'scheme' => $parts['scheme'] ?? null,
            'user' => $parts['user'] ?? null,
            'password' => $parts['pass'] ?? null,
            'host' => $parts['host'] ?? null,
            'port' => isset($parts['port']) ? (string) $parts['port'] : null,
            'path' => $parts['path'] ?? '',
            'query' => $parts['query'] ?? null,
            'fragment' => $parts['fragment'] ?? null,
        ];
    }
}

final class GuzzlePsr7 extends Library
{
    public const PACKAGE = 'php-guzzlehttp-psr7';
    public const HOMEPAGE = 'https://packagist.org/packages/guzzlehttp/psr7';
    public const SPECS = ['rfc3986'];

    public function __construct()
    {
        require 'GuzzleHttp/Psr7/autoload.php';
    }

    public function refuses(Throwable $error): bool
    {
        return $error instanceof InvalidArgumentException;
    }

    public function parse(string $text): array
    {
        $uri = new Uri($text);
        $port = $uri->getPort();
        return [
            'scheme' => self::nonEmpty($uri->getScheme()),
            'authority' => self::nonEmpty($uri->getAuthority()),
            'userinfo' => self::nonEmpty($uri->getUserInfo()),
            'host' => self::nonEmpty($uri->getHost()),
            'port' => $port === null ? null : (string) $port,
            'path' => $uri->getPath(),
            'query' => self::nonEmpty($uri->getQuery()),
            'fragment' => self::nonEmpty($uri->getFragment()),
        ];
    }

    public function resolve(string $base, string $reference): string
    {
        return (string) UriResolver::resolve(new Uri($base), new Uri($reference));
    }

    public function normalize(string $text, bool $byScheme): string
    {
        return (string) UriNormalizer::normalize(new Uri($text), self::normalizations($byScheme));
    }

    public function equivalent(string $one, string $other, bool $byScheme): bool
    {
        return UriNormalizer::isEquivalent(new Uri($one), new Uri($other), self::normalizations($byScheme));
    }

    public function recompose(
        ?string $scheme,
        ?string $authority,
        string $path,
        ?string $query,
        ?string $fragment,
    ): string {
        return Uri::composeComponents($scheme, $authority, $path, $query, $fragment);
    }

    /** Return the normalizations of RFC 3986, section 6.2.2; if `$byScheme`, also those of section 6.2.3. */
    private static function normalizations(bool $byScheme): int
    {
        return $byScheme
            ? UriNormalizer::PRESERVING_NORMALIZATIONS
            : UriNormalizer::CAPITALIZE_PERCENT_ENCODING
                | UriNormalizer::DECODE_UNRESERVED_CHARACTERS
                | UriNormalizer::REMOVE_DOT_SEGMENTS;
    }

    /** Return null for an empty component, because PSR-7 shows an absent component as an empty text. */
    private static function nonEmpty(string $text): ?string
    {
        return $text === '' ? null : $text;
    }
}

final class NetUrl2 extends Library
{
    public const PACKAGE = 'php-net-url2';
    public const HOMEPAGE = 'https://pear.php.net/package/Net_URL2';
    public const SPECS = ['rfc3986'];
    public const TELLS_EMPTY = true;
    public const LENIENT = true;

    public function __construct()
    {
        require 'Net/URL2.php';
    }

    /** For a base without a scheme, `resolve` throws an Exception, not one of a subclass. */
    public function refuses(Throwable $error): bool
    {
        return $error::class === Exception::class;
    }

    public function parse(string $text): array
    {
        $url = new Net_URL2($text);
        $parts = [
            'scheme' => $url->getScheme(),
            'authority' => $url->getAuthority(),
            'userinfo' => $url->getUserinfo(),
            'user' => $url->getUser(),
            'password' => $url->getPassword(),
            'host' => $url->getHost(),
            'port' => $url->getPort(),
            'path' => $url->getPath(),
            'query' => $url->getQuery(),
            'fragment' => $url->getFragment(),
        ];
        return array_map(fn (string|bool $part) => $part === false ? null : $part, $parts);
    }

    public function resolve(string $base, string $reference): string
    {
        return (new Net_URL2($base))->resolve($reference)->getURL();
    }

    public function normalize(string $text): string
    {
        return (new Net_URL2($text))->getNormalizedURL();
    }

    public function recompose(
        ?string $scheme,
        ?string $authority,
        string $path,
        ?string $query,
        ?string $fragment,
    ): string {
        return (new Net_URL2('')) // false means absent
            ->setScheme($scheme ?? false)
            ->setAuthority($authority ?? false)
            ->setPath($path)
            ->setQuery($query ?? false)
            ->setFragment($fragment ?? false)
            ->getURL();
    }
}

/** The class of PHP 8.5 for RFC 3986. Its raw getters return the text, the others normal forms. */
final class Rfc3986Uri extends Library
{
    public const HOMEPAGE = 'https://www.php.net/manual/en/class.uri-rfc3986-uri.php';
    public const SPECS = ['rfc3986'];
    public const TELLS_EMPTY = true;
    public const MODES = ['syntax'];

    public function refuses(Throwable $error): bool
    {
        return $error instanceof \Uri\InvalidUriException;
    }

    public function parse(string $text): array
    {
        $uri = new \Uri\Rfc3986\Uri($text);
        $port = $uri->getPort();
        return [
            'scheme' => $uri->getRawScheme(),
            'userinfo' => $uri->getRawUserInfo(),
            'user' => $uri->getRawUsername(),
            'password' => $uri->getRawPassword(),
            'host' => $uri->getRawHost(),
            'port' => $port === null ? null : (string) $port,
            'path' => $uri->getRawPath(),
            'query' => $uri->getRawQuery(),
            'fragment' => $uri->getRawFragment(),
        ];
    }

    public function resolve(string $base, string $reference): string
    {
        return (new \Uri\Rfc3986\Uri($base))->resolve($reference)->toRawString();
    }

    public function normalize(string $text, bool $byScheme): string
    {
        self::refuseMode($byScheme);
        return (new \Uri\Rfc3986\Uri($text))->toString();
    }

    public function equivalent(string $one, string $other, bool $byScheme): bool
    {
        self::refuseMode($byScheme);
        return (new \Uri\Rfc3986\Uri($one))->equals(
            new \Uri\Rfc3986\Uri($other),
            \Uri\UriComparisonMode::IncludeFragment,
        );
    }

    private static function refuseMode(bool $byScheme): void
    {
        if ($byScheme) {
            throw new Unsupported('the library does not normalize by scheme');
        }
    }
}

/** The class of PHP 8.5 for the URL standard of the browsers. Its parser already normalizes. */
final class WhatWgUrl extends Library
{
    public const HOMEPAGE = 'https://www.php.net/manual/en/class.uri-whatwg-url.php';
    public const TELLS_EMPTY = true;
    /** The class has no relative form, so a reference is checked against this base. */
    private const BASE = 'http://a/b/c/d;p?q';

    public function refuses(Throwable $error): bool
    {
        return $error instanceof \Uri\WhatWg\InvalidUrlException;
    }

    public function check(string $reference): void
    {
        $this->resolve(self::BASE, $reference);
    }

    public function parse(string $text): array
    {
        $url = new \Uri\WhatWg\Url($text);
        $port = $url->getPort();
        $password = $url->getPassword();
        return [
            'scheme' => $url->getScheme(),
            'user' => $url->getUsername(),
            'password' => $password === '' ? null : $password, // if there is none, the class returns '', too
            'host' => $url->getAsciiHost(),
            'port' => $port === null ? null : (string) $port,
            'path' => $url->getPath(),
            'query' => $url->getQuery(),
            'fragment' => $url->getFragment(),
        ];
    }

    public function resolve(string $base, string $reference): string
    {
        return (new \Uri\WhatWg\Url($base))->resolve($reference)->toAsciiString();
    }
}

const LIBRARIES = [
    'parse_url' => ParseUrl::class,
    'guzzle-psr7' => GuzzlePsr7::class,
    'net_url2' => NetUrl2::class,
    'php-uri-rfc3986' => Rfc3986Uri::class,
    'php-uri-whatwg' => WhatWgUrl::class,
];

/** Answers the questions of the protocol with one library. */
final class Adapter
{
    /** @var list<string> */
    private readonly array $operations;

    /** @param array<string, array<string, mixed>> $rfcs */
    public function __construct(
        private readonly string $name,
        private readonly Library $library,
        private readonly array $rfcs,
    ) {
        $offered = array_filter(
            ['parse', 'resolve', 'normalize', 'equivalent', 'recompose'],
            fn (string $operation) => method_exists($library, $operation),
        );
        $this->operations = [...($library::LENIENT ? [] : ['validate']), ...$offered];
    }

    public function hello(): array
    {
        $library = $this->library;
        return [
            'type' => 'hello',
            'protocol' => 1,
            'implementation' => [
                'name' => $this->name,
                'version' => $library::PACKAGE === '' ? PHP_VERSION : debianVersion($library::PACKAGE),
                'language' => 'php',
                'runtime' => 'PHP ' . PHP_VERSION,
                'homepage' => $library::HOMEPAGE,
            ],
            'ops' => $this->operations,
            'specs' => $library::SPECS,
            'features' => [
                ...($library::LENIENT ? [] : ['validate-by-parse']),
                ...($library::TELLS_EMPTY ? ['absent-vs-empty'] : []),
            ],
            'modes' => method_exists($library, 'normalize') ? $library::MODES : [],
            'window' => 64,
        ];
    }

    /** Return the reply to a question, without its id. */
    public function reply(array $question): array
    {
        try {
            return ['status' => 'ok'] + $this->answer($question);
        } catch (Unsupported $reason) {
            return ['status' => 'unsupported', 'message' => $reason->getMessage()];
        } catch (Throwable $error) {
            $message = $error->getMessage();
            return $error instanceof Refusal || $this->library->refuses($error)
                ? ['status' => 'reject', 'message' => $message]
                : ['status' => 'error', 'message' => $error::class . ": $message"];
        }
    }

    private function answer(array $question): array
    {
        $text = fn (string $field) => asText($question[$field]);
        $byScheme = ($question['mode'] ?? 'syntax') === 'scheme';
        $operation = in_array($question['op'], $this->operations, true) ? $question['op'] : '';
        return match ($operation) {
            'validate' => $this->validate($question),
            'parse' => $this->parse($question),
            'resolve' => ['url' => asReply($this->library->resolve($text('base'), $text('reference')))],
            'normalize' => ['url' => asReply($this->library->normalize($text('url'), $byScheme))],
            'equivalent' => ['equal' => $this->library->equivalent($text('url'), $text('other'), $byScheme)],
            'recompose' => $this->recompose($question),
            default => throw new Unsupported('the library has no such operation'),
        };
    }

    /** Accept a text if the library accepts it, and if it has the form that the rule requires. */
    private function validate(array $question): array
    {
        $rule = $this->rule($question);
        $text = asText($question['url']);
        $parts = $this->parts($text, $rule);
        $scheme = $parts['scheme'] ?? null;
        if ($rule['form'] === 'absolute' && $scheme === null) {
            throw new Refusal('it has no scheme');
        }
        if ($rule['form'] === 'relative' && $scheme !== null) {
            throw new Refusal('it has a scheme');
        }
        if (!$rule['fragment'] && str_contains($text, '#')) {
            throw new Refusal('it has a fragment');
        }
        if (isset($rule['scheme']) && strtolower($scheme) !== $rule['scheme']) {
            throw new Refusal("the scheme is $scheme");
        }
        return $parts === null ? ['message' => 'only with a base'] : [];
    }

    /** Return the components under the names of the RFC. */
    private function parse(array $question): array
    {
        $parts = $this->parts(asText($question['url']), $this->rule($question))
            ?? throw new Unsupported('the library has no components of a relative reference');
        $parts += ['userinfo' => joined($parts['user'] ?? null, $parts['password'] ?? null)];
        $parts['url-path'] = str_starts_with($parts['path'], '/') ? substr($parts['path'], 1) : null;
        $names = $this->rfcs['components'][$question['spec']];
        $shown = [];
        foreach ($names[strtolower($parts['scheme'] ?? '')] ?? $names[''] as $name => $part) {
            if (array_key_exists($part, $parts)) {
                $shown[$name] = $parts[$part] === null ? null : asReply($parts[$part]);
            }
        }
        return ['components' => $shown];
    }

    /** Return the components of a text, or null for a relative reference that the library only checks. */
    private function parts(string $text, array $rule): ?array
    {
        try {
            return $this->library->parse($text);
        } catch (Throwable $error) {
            if ($rule['form'] !== 'absolute' && $this->library->refuses($error) && $this->needsBase($text)) {
                return null;
            }
            throw $error;
        }
    }

    /** Return whether the library refuses a text only because it is a relative reference. */
    private function needsBase(string $text): bool
    {
        $hasScheme = preg_match('/^[A-Za-z][A-Za-z0-9+.-]*:/', $text) === 1;
        if ($hasScheme || !method_exists($this->library, 'check')) {
            return false;
        }
        try {
            $this->library->check($text);
            return true;
        } catch (Throwable) { // also a fault of the library: it does not accept the text
            return false;
        }
    }

    /** Return the text of components that have the names of RFC 3986. */
    private function recompose(array $question): array
    {
        if (in_array($question['spec'], ['rfc1738', 'rfc1808'], true)) {
            throw new Unsupported('the library has the components of RFC 3986');
        }
        $given = [];
        foreach (['scheme', 'authority', 'path', 'query', 'fragment'] as $name) {
            $component = $question['components'][$name] ?? null;
            $given[] = $component === null ? null : asText($component);
        }
        return ['url' => asReply($this->library->recompose(...$given))];
    }

    /** Return the form that the rule of a question requires, if it is a rule for whole URLs. */
    private function rule(array $question): array
    {
        $spec = $question['spec'];
        return $this->rfcs['rules'][$spec][$question['rule'] ?? $this->rfcs['default'][$spec]]
            ?? throw new Unsupported('the library knows whole URLs only');
    }
}

/** Return a text of a question as bytes. If it is not Unicode, the question contains the hex digits. */
function asText(string|array $text): string
{
    return is_string($text) ? $text : hex2bin($text['hex']);
}

/** Return a text for a reply. If it is not Unicode, return an object with the hex digits. */
function asReply(string $text): string|array
{
    return preg_match('//u', $text) === 1 ? $text : ['hex' => bin2hex($text)];
}

/** Return the userinfo as libraries write it: without a colon if there is no password. */
function joined(?string $user, ?string $password): ?string
{
    return $password === null ? $user : "$user:$password";
}

function debianVersion(string $package): string
{
    return trim(shell_exec("dpkg-query --show --showformat '\${Version}' $package"));
}

function readJson(string $text): array
{
    return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
}

ini_set('display_errors', 'stderr'); // stdout is only for replies
// A warning becomes an error, because the answer of the library is then not reliable. Deprecations are ignored.
set_error_handler(
    fn (int $level, string $what) => throw new ErrorException($what, severity: $level),
    ~(E_DEPRECATED | E_USER_DEPRECATED),
);
[, $name, $path] = $argv;
$library = LIBRARIES[$name];
$adapter = new Adapter($name, new $library(), readJson(file_get_contents($path)));
while (($line = fgets(STDIN)) !== false) {
    $message = trim($line) === '' ? ['type' => ''] : readJson($line);
    if ($message['type'] === 'bye') {
        break;
    }
    $reply = match ($message['type']) {
        'hello' => $adapter->hello(),
        'run' => ['id' => $message['id']] + $adapter->reply($message),
        default => null,
    };
    if ($reply !== null) { // the message of a reply may contain invalid UTF-8
        echo json_encode($reply, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), "\n";
    }
}
