import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import org.apache.hc.core5.net.InetAddressUtils;
import org.apache.hc.core5.net.URIBuilder;

/** {@code URIBuilder} of HttpCore. It parses with java.net.URI and shows decoded texts. */
final class HttpCore implements Library {
  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "normalize"); // the setters quote every "%"
  }

  @Override
  public boolean refuses(Exception exception) {
    return exception instanceof URISyntaxException;
  }

  @Override
  public String scheme(String text) throws URISyntaxException {
    return new URIBuilder(text).getScheme();
  }

  /** The query is left out, because the library shows only a list of decoded names and values. */
  @Override
  public Map<String, String> parse(String text) throws URISyntaxException {
    URIBuilder url = new URIBuilder(text);
    String host = url.getHost();
    boolean inBrackets = host != null && InetAddressUtils.isIPv6(host); // as in toString
    Map<String, String> parts =
        Library.parts(
            "scheme", url.getScheme(),
            "userinfo", url.getUserInfo(),
            "host", inBrackets ? "[" + host + "]" : host,
            "port", Library.number(url.getPort(), -1),
            "path", url.getPath(),
            "fragment", url.getFragment());
    if (url.isOpaque()) {
      parts.remove("path"); // the library shows it only together with the query
    }
    return parts;
  }

  @Override
  public String normalize(String text) throws URISyntaxException {
    return new URIBuilder(text).optimize().toString();
  }

  @Override
  public List<String> modes() {
    return List.of("syntax");
  }

  @Override
  public String homepage() {
    return "https://hc.apache.org/httpcomponents-core-5.3.x/";
  }

  @Override
  public String version() {
    return Library.versionOf(URIBuilder.class);
  }
}
