import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpURI;

/** {@code HttpURI} of Jetty. Its violations do not refuse a text: servers judge them. */
final class Jetty implements Library {
  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "normalize", "recompose");
  }

  @Override
  public boolean refuses(Exception exception) {
    return exception instanceof IllegalArgumentException;
  }

  @Override
  public String scheme(String text) {
    return HttpURI.from(text).getScheme();
  }

  /** The authority is left out, because the library removes the userinfo from it. */
  @Override
  public Map<String, String> parse(String text) {
    HttpURI url = HttpURI.from(text);
    return Library.parts(
        "scheme", url.getScheme(),
        "userinfo", url.getUser(),
        "host", url.getHost(),
        "port", Library.number(url.getPort(), -1),
        "path", url.getPath(),
        "params", url.getParam(),
        "query", url.getQuery(),
        "fragment", url.getFragment());
  }

  @Override
  public String normalize(String text) {
    return HttpURI.build(text).normalize().asString();
  }

  /** {@code normalize} only removes the default port. */
  @Override
  public List<String> modes() {
    return List.of("scheme");
  }

  @Override
  public String recompose(Map<String, String> components) {
    String port = components.get("port");
    return HttpURI.build()
        .scheme(components.get("scheme"))
        .user(components.get("userinfo"))
        .host(components.get("host"))
        .port(port == null || port.isEmpty() ? -1 : Integer.parseInt(port))
        .path(components.get("path"))
        .query(components.get("query"))
        .fragment(components.get("fragment"))
        .asString();
  }

  @Override
  public List<String> specs() {
    return List.of("rfc3986");
  }

  @Override
  public String homepage() {
    return "https://jetty.org/";
  }

  @Override
  public String version() {
    return Library.versionOf(HttpURI.class);
  }
}
