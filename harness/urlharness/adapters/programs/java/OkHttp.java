import java.util.List;
import java.util.Map;
import okhttp3.HttpUrl;

/** {@code HttpUrl} of OkHttp: http and https only, and relative URLs with a base. */
final class OkHttp implements Library {
  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "resolve", "recompose");
  }

  @Override
  public boolean refuses(Exception exception) {
    return exception instanceof IllegalArgumentException;
  }

  @Override
  public String scheme(String text) {
    try {
      return HttpUrl.get(text).scheme();
    } catch (IllegalArgumentException refusal) {
      if (needsBase(text)) {
        return null;
      }
      throw refusal;
    }
  }

  /** The port is left out, because the library shows the default port if there is none. */
  @Override
  public Map<String, String> parse(String text) {
    HttpUrl url = HttpUrl.get(text);
    return Library.parts(
        "scheme", url.scheme(),
        "user", Library.unlessEmpty(url.encodedUsername()),
        "password", Library.unlessEmpty(url.encodedPassword()),
        "host", Library.inBrackets(url.host()),
        "path", url.encodedPath(),
        "query", url.encodedQuery(),
        "fragment", url.encodedFragment());
  }

  @Override
  public String resolve(String base, String reference) {
    HttpUrl url = HttpUrl.get(base).resolve(reference);
    if (url == null) {
      throw new IllegalArgumentException("resolve returns null");
    }
    return url.toString();
  }

  @Override
  public String recompose(Map<String, String> components) {
    if (components.get("scheme") == null) {
      throw new Unsupported("the library has no relative references");
    }
    if (components.get("host") == null) {
      throw new Unsupported("the library has no URLs without host");
    }
    HttpUrl.Builder url = new HttpUrl.Builder();
    url.scheme(components.get("scheme")).host(components.get("host"));
    String userinfo = components.get("userinfo");
    if (userinfo != null) {
      String[] parts = userinfo.split(":", 2);
      url.encodedUsername(parts[0]).encodedPassword(parts.length == 2 ? parts[1] : "");
    }
    String port = components.get("port");
    if (port != null && !port.isEmpty()) {
      url.port(Integer.parseInt(port));
    }
    if (!components.get("path").isEmpty()) { // the library refuses an empty path, and writes a slash without one
      url.encodedPath(components.get("path"));
    }
    return url.encodedQuery(components.get("query"))
        .encodedFragment(components.get("fragment"))
        .toString();
  }

  @Override
  public String language() {
    return "kotlin";
  }

  @Override
  public String homepage() {
    return "https://square.github.io/okhttp/";
  }

  @Override
  public String version() {
    return okhttp3.OkHttp.VERSION;
  }
}
