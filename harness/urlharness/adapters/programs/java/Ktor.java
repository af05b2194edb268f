import io.ktor.http.URLDecodeException;
import io.ktor.http.URLParserException;
import io.ktor.http.URLParserKt;
import io.ktor.http.URLProtocol;
import io.ktor.http.URLUtilsKt;
import io.ktor.http.Url;
import java.util.List;
import java.util.Map;

/** {@code Url} of Ktor. A text without scheme gets the scheme http and the host localhost. */
final class Ktor implements Library {
  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "resolve"); // URLBuilder needs decoded parameters
  }

  @Override
  public boolean refuses(Exception exception) {
    return exception instanceof URLParserException || exception instanceof URLDecodeException;
  }

  @Override
  public String scheme(String text) {
    return scheme(URLUtilsKt.Url(text));
  }

  @Override
  public Map<String, String> parse(String text) {
    Url url = URLUtilsKt.Url(text);
    String query = url.getEncodedQuery();
    return Library.parts(
        "scheme", scheme(url),
        "user", url.getEncodedUser(),
        "password", url.getEncodedPassword(),
        "host", url.getHost(),
        "port", Library.number(url.getSpecifiedPort(), 0),
        "path", url.getEncodedPath(),
        "query", url.getTrailingQuery() ? query : Library.unlessEmpty(query),
        "fragment", Library.unlessEmpty(url.getEncodedFragment()));
  }

  /** Resolves a reference in the same way in which the client of Ktor follows a redirection. */
  @Override
  public String resolve(String base, String reference) {
    return URLParserKt.takeFrom(URLUtilsKt.URLBuilder(base), reference).buildString();
  }

  private static String scheme(Url url) {
    URLProtocol protocol = url.getProtocolOrNull();
    return protocol == null ? null : protocol.getName();
  }

  @Override
  public String language() {
    return "kotlin";
  }

  @Override
  public String homepage() {
    return "https://ktor.io/";
  }

  @Override
  public String version() {
    return Library.versionOf(Url.class);
  }
}
