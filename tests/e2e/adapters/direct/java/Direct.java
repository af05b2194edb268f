import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.mola.galimatias.GalimatiasParseException;
import io.mola.galimatias.canonicalize.RFC3986Canonicalizer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import okhttp3.HttpUrl;
import org.apache.hc.core5.net.URIBuilder;
import org.apache.jena.rfc3986.IRI3986;
import org.apache.jena.rfc3986.IRIParseException;
import org.eclipse.jetty.http.HttpURI;
import org.springframework.web.util.InvalidUrlException;
import org.springframework.web.util.UriComponents;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Prints the accessors of a Java library: `Direct LIBRARY`, one question and one answer a line.
 *
 * <p>Each library is called as its documentation does it; direct.toml names the page.
 */
final class Direct {
    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    /** The library has no method for this. */
    private static final class NotOffered extends Exception {}

    /** A library. By default it offers nothing. */
    private abstract static class Library {
        abstract Map<String, Object> parse(String url) throws Exception;

        String resolve(String base, String reference) throws Exception {
            throw new NotOffered();
        }

        String normalize(String url) throws Exception {
            throw new NotOffered();
        }

        /** Returns true if the documentation says that the library refuses a text with this exception. */
        abstract boolean refuses(Exception exception);
    }

    private static Map<String, Object> accessors(Object... namesAndValues) {
        Map<String, Object> accessors = new LinkedHashMap<>();
        for (int place = 0; place < namesAndValues.length; place += 2) {
            accessors.put((String) namesAndValues[place], namesAndValues[place + 1]);
        }
        return accessors;
    }

    private static final class JavaNetUri extends Library {
        @Override
        Map<String, Object> parse(String url) throws Exception {
            URI uri = new URI(url);
            return accessors(
                "getScheme", uri.getScheme(),
                "getRawSchemeSpecificPart", uri.getRawSchemeSpecificPart(),
                "getRawAuthority", uri.getRawAuthority(),
                "getRawUserInfo", uri.getRawUserInfo(),
                "getHost", uri.getHost(),
                "getPort", uri.getPort(),
                "getRawPath", uri.getRawPath(),
                "getRawQuery", uri.getRawQuery(),
                "getRawFragment", uri.getRawFragment());
        }

        @Override
        String resolve(String base, String reference) throws Exception {
            return new URI(base).resolve(new URI(reference)).toString();
        }

        @Override
        String normalize(String url) throws Exception {
            return new URI(url).normalize().toString();
        }

        @Override
        boolean refuses(Exception exception) {
            return exception instanceof URISyntaxException;
        }
    }

    private static final class JavaNetUrl extends Library {
        @Override
        Map<String, Object> parse(String text) throws Exception {
            URL url = new URL(text);
            return accessors(
                "getProtocol", url.getProtocol(),
                "getAuthority", url.getAuthority(),
                "getUserInfo", url.getUserInfo(),
                "getHost", url.getHost(),
                "getPort", url.getPort(),
                "getPath", url.getPath(),
                "getQuery", url.getQuery(),
                "getRef", url.getRef());
        }

        @Override
        String resolve(String base, String reference) throws Exception {
            return new URL(new URL(base), reference).toString();
        }

        @Override
        boolean refuses(Exception exception) {
            return exception instanceof MalformedURLException;
        }
    }

    private static final class HttpCore extends Library {
        @Override
        Map<String, Object> parse(String url) throws Exception {
            URIBuilder builder = new URIBuilder(url);
            return accessors(
                "getScheme", builder.getScheme(),
                "getUserInfo", builder.getUserInfo(),
                "getHost", builder.getHost(),
                "getPort", builder.getPort(),
                "getPath", builder.getPath(),
                "getFragment", builder.getFragment());
        }

        @Override
        String normalize(String url) throws Exception {
            return new URIBuilder(url).optimize().toString();
        }

        @Override
        boolean refuses(Exception exception) {
            return exception instanceof URISyntaxException;
        }
    }

    private static final class OkHttp extends Library {
        @Override
        Map<String, Object> parse(String text) {
            HttpUrl url = HttpUrl.get(text);
            return accessors(
                "scheme", url.scheme(),
                "encodedUsername", url.encodedUsername(),
                "encodedPassword", url.encodedPassword(),
                "host", url.host(),
                "port", url.port(),
                "encodedPath", url.encodedPath(),
                "encodedQuery", url.encodedQuery(),
                "encodedFragment", url.encodedFragment());
        }

        @Override
        String resolve(String base, String reference) {
            HttpUrl resolved = HttpUrl.get(base).resolve(reference);
            if (resolved == null) {
                throw new IllegalArgumentException("resolve returns null");
            }
            return resolved.toString();
        }

        @Override
        boolean refuses(Exception exception) {
            return exception instanceof IllegalArgumentException;
        }
    }

    private static final class Spring extends Library {
        private final UriComponentsBuilder.ParserType parser;

        Spring(UriComponentsBuilder.ParserType parser) {
            this.parser = parser;
        }

        @Override
        Map<String, Object> parse(String url) {
            UriComponents components = UriComponentsBuilder.fromUriString(url, parser).build();
            return accessors(
                "getScheme", components.getScheme(),
                "getSchemeSpecificPart", components.getSchemeSpecificPart(),
                "getUserInfo", components.getUserInfo(),
                "getHost", components.getHost(),
                "getPort", components.getPort(),
                "getPath", components.getPath(),
                "getQuery", components.getQuery(),
                "getFragment", components.getFragment());
        }

        @Override
        String normalize(String url) {
            return UriComponentsBuilder.fromUriString(url, parser).build().normalize().toUriString();
        }

        @Override
        boolean refuses(Exception exception) {
            return exception instanceof InvalidUrlException;
        }
    }

    private static final class Jetty extends Library {
        @Override
        Map<String, Object> parse(String url) {
            HttpURI uri = HttpURI.from(url);
            return accessors(
                "getScheme", uri.getScheme(),
                "getAuthority", uri.getAuthority(),
                "getUser", uri.getUser(),
                "getHost", uri.getHost(),
                "getPort", uri.getPort(),
                "getPath", uri.getPath(),
                "getCanonicalPath", uri.getCanonicalPath(),
                "getQuery", uri.getQuery(),
                "getFragment", uri.getFragment());
        }

        @Override
        String normalize(String url) {
            return HttpURI.build(url).normalize().asString();
        }

        @Override
        boolean refuses(Exception exception) {
            return exception instanceof IllegalArgumentException;
        }
    }

    private static final class Jena extends Library {
        @Override
        Map<String, Object> parse(String url) {
            IRI3986 iri = IRI3986.create(url);
            return accessors(
                "scheme", iri.scheme(),
                "authority", iri.authority(),
                "userInfo", iri.userInfo(),
                "host", iri.host(),
                "port", iri.port(),
                "path", iri.path(),
                "query", iri.query(),
                "fragment", iri.fragment());
        }

        @Override
        String resolve(String base, String reference) {
            return IRI3986.create(base).resolve(IRI3986.create(reference)).toString();
        }

        @Override
        String normalize(String url) {
            return IRI3986.create(url).normalize().toString();
        }

        @Override
        boolean refuses(Exception exception) {
            return exception instanceof IRIParseException;
        }
    }

    private static final class Galimatias extends Library {
        @Override
        Map<String, Object> parse(String text) throws Exception {
            io.mola.galimatias.URL url = io.mola.galimatias.URL.parse(text);
            return accessors(
                "scheme", url.scheme(),
                "schemeData", url.schemeData(),
                "userInfo", url.userInfo(),
                "username", url.username(),
                "password", url.password(),
                "host", url.host() == null ? null : url.host().toString(),
                "authority", url.authority(),
                "port", url.port(),
                "defaultPort", url.defaultPort(),
                "path", url.path(),
                "query", url.query(),
                "fragment", url.fragment());
        }

        @Override
        String resolve(String base, String reference) throws Exception {
            return io.mola.galimatias.URL.parse(base).resolve(reference).toString();
        }

        @Override
        String normalize(String url) throws Exception {
            return new RFC3986Canonicalizer().canonicalize(io.mola.galimatias.URL.parse(url)).toString();
        }

        @Override
        boolean refuses(Exception exception) {
            return exception instanceof GalimatiasParseException;
        }
    }

    private static Library library(String name) {
        return switch (name) {
            case "java-net-uri" -> new JavaNetUri();
            case "java-net-url" -> new JavaNetUrl();
            case "httpcore5" -> new HttpCore();
            case "okhttp" -> new OkHttp();
            case "spring-rfc" -> new Spring(UriComponentsBuilder.ParserType.RFC);
            case "spring-whatwg" -> new Spring(UriComponentsBuilder.ParserType.WHAT_WG);
            case "jetty-http" -> new Jetty();
            case "jena-iri3986" -> new Jena();
            case "galimatias" -> new Galimatias();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Map<String, Object> answer(Library library, JsonObject question) {
        try {
            return switch (question.get("op").getAsString()) {
                case "parse" -> accessors("accessors", library.parse(question.get("url").getAsString()));
                case "resolve" -> accessors(
                    "url",
                    library.resolve(
                        question.get("base").getAsString(), question.get("reference").getAsString()));
                case "normalize" -> accessors("url", library.normalize(question.get("url").getAsString()));
                default -> throw new NotOffered();
            };
        } catch (NotOffered offered) {
            return accessors("offered", false);
        } catch (Exception exception) {
            if (library.refuses(exception)) {
                return accessors("refused", String.valueOf(exception.getMessage()));
            }
            return accessors("failed", exception.toString());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Library library = library(arguments[0]);
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            output.println(GSON.toJson(answer(library, JsonParser.parseString(line).getAsJsonObject())));
        }
    }
}
