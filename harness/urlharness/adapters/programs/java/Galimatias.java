import io.mola.galimatias.GalimatiasParseException;
import io.mola.galimatias.URL;
import io.mola.galimatias.canonicalize.CombinedCanonicalizer;
import io.mola.galimatias.canonicalize.DecodeUnreservedCanonicalizer;
import io.mola.galimatias.canonicalize.RFC3986Canonicalizer;
import java.util.List;
import java.util.Map;

/** {@code URL} of galimatias, which follows an early URL Standard of WHATWG. */
final class Galimatias implements Library {
  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "resolve", "normalize");
  }

  @Override
  public boolean refuses(Exception exception) {
    return exception instanceof GalimatiasParseException;
  }

  @Override
  public String scheme(String text) throws GalimatiasParseException {
    try {
      return URL.parse(text).scheme();
    } catch (GalimatiasParseException refusal) {
      if (needsBase(text)) {
        return null;
      }
      throw refusal;
    }
  }

  /** The port is left out, because the library shows the default port if there is none. */
  @Override
  public Map<String, String> parse(String text) throws GalimatiasParseException {
    URL url = URL.parse(text);
    return Library.parts(
        "scheme", url.scheme(),
        "authority", url.authority(), // without the default port
        "userinfo", Library.unlessEmpty(url.userInfo()),
        "user", Library.unlessEmpty(url.username()),
        "password", url.password(),
        "host", url.host() == null ? null : Library.inBrackets(url.host().toString()),
        "path", url.isHierarchical() ? url.path() : url.schemeData(),
        "query", url.query(),
        "fragment", url.fragment());
  }

  @Override
  public String resolve(String base, String reference) throws GalimatiasParseException {
    return URL.parse(base).resolve(reference).toString();
  }

  @Override
  public String normalize(String text) throws GalimatiasParseException {
    if (needsBase(text)) {
      throw new Unsupported("the library has no normal form of a relative reference");
    }
    return new CombinedCanonicalizer(
            new RFC3986Canonicalizer(), new DecodeUnreservedCanonicalizer())
        .canonicalize(URL.parse(text))
        .toString();
  }

  @Override
  public List<String> modes() {
    return List.of("syntax");
  }

  @Override
  public String homepage() {
    return "https://galimatias.mola.io/";
  }

  @Override
  public String version() {
    return Library.versionOf(URL.class);
  }
}
