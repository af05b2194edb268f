import java.net.MalformedURLException;
import java.net.URL;
import java.util.List;
import java.util.Map;

/** {@code java.net.URL} of the JDK: only schemes with a handler, and relative URLs with a base. */
final class JavaNetUrl implements Library {
  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "resolve");
  }

  @Override
  public boolean refuses(Exception exception) {
    return exception instanceof MalformedURLException;
  }

  @Override
  public String scheme(String text) throws MalformedURLException {
    try {
      return new URL(text).getProtocol();
    } catch (MalformedURLException refusal) {
      if (needsBase(text)) {
        return null;
      }
      throw refusal;
    }
  }

  @Override
  public Map<String, String> parse(String text) throws MalformedURLException {
    URL url = new URL(text);
    return Library.parts(
        "scheme", url.getProtocol(),
        "authority", url.getAuthority(),
        "userinfo", url.getUserInfo(),
        "host", url.getAuthority() == null ? null : url.getHost(), // getHost is never null
        "port", Library.number(url.getPort(), -1),
        "path", url.getPath(),
        "query", url.getQuery(),
        "fragment", url.getRef());
  }

  @Override
  public String resolve(String base, String reference) throws MalformedURLException {
    return new URL(new URL(base), reference).toString();
  }

  @Override
  public List<String> specs() {
    return List.of("rfc2396", "rfc2732");
  }

  @Override
  public String homepage() {
    return "https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/net/URL.html";
  }

  @Override
  public String version() {
    return System.getProperty("java.version");
  }
}
