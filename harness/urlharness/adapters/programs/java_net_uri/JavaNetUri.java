import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;
import java.util.stream.Collectors;

/**
 * urlconform adapter for java.net.URI, Java 17 and later: wire protocol 1, one JSON object per line.
 * Every answer comes from URI alone. Start the adapter with {@code java JavaNetUri.java}, or compile it first.
 */
public final class JavaNetUri {
    /** The rules that a parser of whole URIs can check, by specification. The first rule is the default. */
    private static final Map<String, List<String>> RULES = Map.of(
            "rfc1738", List.of("url", "genericurl", "otherurl", "httpurl", "ftpurl", "newsurl", "nntpurl",
                    "telneturl", "gopherurl", "waisurl", "mailtourl", "fileurl", "prosperourl"),
            "rfc1808", List.of("URL", "absoluteURL", "relativeURL"),
            "rfc2396", List.of("URI-reference", "absoluteURI", "relativeURI"),
            "rfc2732", List.of("URI-reference", "absoluteURI", "relativeURI"),
            "rfc3986", List.of("URI-reference", "URI", "absolute-URI", "relative-ref"));
    private static final Set<String> EITHER = Set.of("URL", "URI-reference");
    private static final Set<String> RELATIVE = Set.of("relativeURL", "relativeURI", "relative-ref");
    private static final Set<String> WITH_FRAGMENT = Set.of("URL", "URI-reference", "URI", "relative-ref");
    private static final Set<String> ANY_SCHEME = Set.of("url", "genericurl", "otherurl");
    /** Components whose getters show null for an opaque URI, which is not divided into them. */
    private static final Set<String> HIERARCHICAL = Set.of("path", "query", "hpath", "fpath", "search");

    private static Map<String, Object> hello() {
        return object("type", "hello", "protocol", 1,
                "implementation", object("name", "java-net-uri", "version", System.getProperty("java.version"),
                        "language", "java", "runtime", System.getProperty("java.vm.name") + " " + Runtime.version()),
                "ops", List.of("validate", "parse", "resolve", "normalize"),
                // The RFCs that the documentation of URI names. The adapter answers for every specification.
                "specs", List.of("rfc2396", "rfc2732"),
                "components", List.of("scheme", "authority", "userinfo", "host", "port", "path", "query",
                        "fragment", "net_loc", "schemepart", "encoded822addr", "hpath", "search", "fpath"),
                // The documentation of the getters says that null (for the port -1) means "undefined", which
                // differs from "". If a getter calls an empty port or authority undefined, that is the answer.
                "features", List.of("absent-vs-empty", "validate-by-parse"),
                // The documentation of URI.normalize (JDK 17) only removes "." and ".." segments.
                "modes", List.of("syntax"),
                "window", 64);
    }

    private static Map<String, Object> answer(Map<?, ?> question) {
        Map<String, Object> reply = object("id", Objects.requireNonNull(question.get("id"), "no id"), "status", "ok");
        try {
            String spec = String.valueOf(question.get("spec"));
            if (!RULES.containsKey(spec) || "scheme".equals(question.get("mode"))) {
                throw new UnsupportedOperationException("URI knows no such specification or mode");
            }
            switch (String.valueOf(question.get("op"))) {
                case "validate" -> ruled(question, spec);
                case "parse" -> reply.put("components", components(ruled(question, spec), spec));
                case "resolve" -> reply.put("url", resolve(question).toString());
                case "normalize" -> reply.put("url", uri(question.get("url")).normalize().toString());
                case "recompose" -> // without quoting the "%" of raw components again
                    throw new UnsupportedOperationException("the constructors from parts quote every \"%\"");
                default -> throw new UnsupportedOperationException("URI has no such operation");
            }
        } catch (URISyntaxException e) {
            reply.putAll(object("status", "reject", "message", e.getReason()));
            if (e.getIndex() >= 0) { // it counts UTF-16 code units, but the protocol counts characters
                reply.put("at", e.getInput().codePointCount(0, Math.min(e.getIndex(), e.getInput().length())));
            }
        } catch (UnsupportedOperationException e) {
            reply.putAll(object("status", "unsupported", "message", e.getMessage()));
        } catch (RuntimeException e) {
            reply.putAll(object("status", "error", "message", e.toString()));
        }
        return reply;
    }

    private static URI resolve(Map<?, ?> question) throws URISyntaxException {
        return uri(question.get("base")).resolve(uri(question.get("reference")));
    }

    /** Parses a text, which must have the form of the rule. The profile is ignored: URI has no profiles. */
    private static URI ruled(Map<?, ?> question, String spec) throws URISyntaxException {
        List<String> rules = RULES.get(spec);
        String rule = question.containsKey("rule") ? String.valueOf(question.get("rule")) : rules.get(0);
        if (!rules.contains(rule)) {
            throw new UnsupportedOperationException("URI parses whole URIs, so it cannot speak for this rule");
        }
        URI uri = uri(question.get("url"));
        boolean anyScheme = !spec.equals("rfc1738") || ANY_SCHEME.contains(rule);
        String flaw = !EITHER.contains(rule) && uri.isAbsolute() == RELATIVE.contains(rule)
                        ? (uri.isAbsolute() ? "has a scheme" : "has no scheme")
                : !WITH_FRAGMENT.contains(rule) && uri.getRawFragment() != null ? "has a fragment"
                : !anyScheme && !rule.equalsIgnoreCase(uri.getScheme() + "url") ? "has another scheme"
                : null;
        if (flaw != null) {
            throw new URISyntaxException(uri.toString(), flaw);
        }
        return uri;
    }

    private static URI uri(Object text) throws URISyntaxException {
        if (text instanceof Map<?, ?> bytes && bytes.get("hex") instanceof String hex) {
            text = utf8(HexFormat.of().parseHex(hex));
        }
        if (text instanceof String string) {
            return new URI(string);
        }
        throw new IllegalArgumentException("the question lacks a text");
    }

    private static Map<String, Object> components(URI uri, String spec) {
        String rest = uri.getRawSchemeSpecificPart();
        String path = uri.getRawPath();
        // RFC 1738, section 3.1: the slash before the url-path is not part of the url-path.
        String urlPath = path == null || path.isEmpty() ? null : path.substring(1);
        Map<String, Object> components = object("scheme", uri.getScheme(), "authority", uri.getRawAuthority(),
                "net_loc", uri.getRawAuthority(), "userinfo", uri.getRawUserInfo(), "host", uri.getHost(),
                "port", uri.getPort() < 0 ? null : String.valueOf(uri.getPort()), "path", path,
                "query", uri.getRawQuery(), "fragment", uri.getRawFragment(), "hpath", urlPath, "fpath", urlPath,
                "search", uri.getRawQuery(), "encoded822addr", rest, "schemepart", rest);
        components.keySet().retainAll(exposed(uri, spec));
        if (uri.isOpaque()) { // it has a scheme, a scheme-specific part and a fragment, and no other components
            components.keySet().removeAll(HIERARCHICAL);
        }
        return components;
    }

    /** The components that URI exposes. It lacks params, user, password, and the parts of gopher, news and wais. */
    private static List<String> exposed(URI uri, String spec) {
        return switch (spec) {
            case "rfc1738" -> switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
                case "http" -> List.of("scheme", "host", "port", "hpath", "search");
                case "ftp" -> List.of("scheme", "host", "port", "fpath");
                case "file" -> List.of("scheme", "host", "fpath");
                case "telnet", "gopher", "nntp", "wais", "prospero" -> List.of("scheme", "host", "port");
                case "mailto" -> List.of("scheme", "encoded822addr");
                case "news" -> List.of("scheme");
                default -> List.of("scheme", "schemepart");
            };
            case "rfc1808" -> List.of("scheme", "net_loc", "path", "query", "fragment"); // with ";" in the path
            default -> List.of("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment");
        };
    }

    private static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    /** Returns bytes as text. They must be UTF-8, because URI takes a String and cannot be asked about other bytes. */
    private static String utf8(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
            throw new UnsupportedOperationException("URI takes a String, and these bytes are not UTF-8");
        }
        return text;
    }

    /** JSON as Map, List, String and null. Numbers, true and false are only copied, as StringBuilder. */
    private static final class Json {
        static final Pattern LITERAL = Pattern.compile("null|true|false|-?(0|[1-9]\\d*)([.]\\d+)?([eE][-+]?\\d+)?");
        static final Pattern ESCAPED = Pattern.compile("[^ !#-\\[\\]-~]");
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text + '\0'; // NUL never occurs in JSON, so every loop stops at the end
        }

        static Object read(String text) {
            Json json = new Json(text);
            Object value = json.value(0);
            json.require(json.accept('\0') && json.at == json.text.length());
            return value;
        }

        private Object value(int depth) {
            require(depth < 500); // so that the stack cannot overflow
            if (accept('{')) {
                Map<String, Object> object = new LinkedHashMap<>();
                for (boolean more = !accept('}'); more; more = follows('}')) {
                    require(accept('"'));
                    String name = string();
                    require(accept(':'));
                    object.put(name, value(depth + 1));
                }
                return object;
            }
            if (accept('[')) {
                List<Object> list = new ArrayList<>();
                for (boolean more = !accept(']'); more; more = follows(']')) {
                    list.add(value(depth + 1));
                }
                return list;
            }
            if (accept('"')) {
                return string();
            }
            Matcher literal = LITERAL.matcher(text).region(at, text.length());
            require(literal.lookingAt());
            at = literal.end();
            return literal.group().equals("null") ? null : new StringBuilder(literal.group());
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            for (char c; (c = text.charAt(at++)) != '"'; string.append(c)) {
                require(c >= ' ');
                if (c == '\\') {
                    int known = "\"\\/bfnrtu".indexOf(text.charAt(at++));
                    require(known >= 0);
                    c = known < 8 ? "\"\\/\b\f\n\r\t".charAt(known)
                            : (char) HexFormat.fromHexDigits(text, at, at += 4);
                }
            }
            return string.toString();
        }

        /** Skips blanks, and then the expected character. Returns false if another character follows. */
        private boolean accept(char expected) {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            boolean there = text.charAt(at) == expected;
            at += there ? 1 : 0;
            return there;
        }

        private boolean follows(char end) {
            boolean more = accept(',');
            require(more || accept(end));
            return more;
        }

        private void require(boolean condition) {
            if (!condition) {
                throw new IllegalArgumentException("not JSON, or nested too deeply, at character " + at);
            }
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                return map.entrySet().stream().map(e -> write(e.getKey()) + ":" + write(e.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            }
            if (value instanceof List<?> list) {
                return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
            }
            return value instanceof String string ? '"' + ESCAPED.matcher(string).replaceAll(Json::escape) + '"'
                    : String.valueOf(value);
        }

        /** Escapes non-ASCII text one UTF-16 code unit at a time, so lone surrogates are kept. */
        private static String escape(MatchResult match) {
            return match.group().chars().mapToObj("\\\\u%04x"::formatted).collect(Collectors.joining());
        }
    }

    /** Returns the reply to a line, or null after bye. A line that is not a message ends the session. */
    private static Map<String, Object> reply(String line) {
        Map<?, ?> message = Json.read(line) instanceof Map<?, ?> map ? map : Map.of();
        return switch (String.valueOf(message.get("type"))) {
            case "hello" -> hello();
            case "run" -> answer(message);
            case "bye" -> null;
            default -> throw new IllegalArgumentException("not a message of the protocol");
        };
    }

    public static void main(String[] args) throws IOException {
        StringBuilder replies = new StringBuilder();
        // Before the adapter waits for input, it writes all answers at once.
        InputStream input = new FilterInputStream(System.in) {
            @Override public int read(byte[] bytes, int offset, int length) throws IOException {
                flush(replies);
                return super.read(bytes, offset, length);
            }
        };
        // Lines are split as bytes, so a line that is not UTF-8 does not affect the lines before it.
        try (var lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.ISO_8859_1))) {
            for (String line; (line = lines.readLine()) != null; ) {
                if (!line.isBlank()) {
                    Map<String, Object> reply;
                    try {
                        reply = reply(utf8(line.getBytes(StandardCharsets.ISO_8859_1)));
                    } catch (IllegalArgumentException | UnsupportedOperationException e) {
                        flush(replies);
                        System.err.println("java-net-uri: invalid line: " + e.getMessage());
                        System.exit(2);
                        return;
                    }
                    if (reply == null) {
                        return;
                    }
                    replies.append(Json.write(reply)).append('\n');
                }
            }
        } finally {
            flush(replies);
        }
    }

    private static void flush(StringBuilder replies) {
        System.out.print(replies);
        System.out.flush();
        replies.setLength(0);
    }
}
