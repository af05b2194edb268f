import java.util.List;
import java.util.Map;
import org.springframework.core.SpringVersion;
import org.springframework.web.util.UriComponents;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriComponentsBuilder.ParserType;

/** {@code UriComponentsBuilder} of Spring, with one of its two parsers. */
record Spring(ParserType parser) implements Library {
  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "normalize", "recompose");
  }

  @Override
  public boolean refuses(Exception exception) {
    return exception instanceof IllegalArgumentException; // such as InvalidUrlException
  }

  @Override
  public String scheme(String text) {
    return components(text).getScheme();
  }

  /** For some texts that the parser accepts, getPort throws an IllegalStateException. */
  @Override
  public Map<String, String> parse(String text) {
    UriComponents url = components(text);
    Map<String, String> parts =
        Library.parts(
            "scheme", url.getScheme(),
            "userinfo", url.getUserInfo(),
            "host", url.getHost(),
            "port", Library.number(url.getPort(), -1),
            "path", url.getPath(),
            "query", url.getQuery(),
            "fragment", url.getFragment());
    if (url.getSchemeSpecificPart() != null) { // it contains path and query
      parts.keySet().removeAll(List.of("path", "query"));
    }
    return parts;
  }

  @Override
  public String normalize(String text) {
    return components(text).normalize().toUriString();
  }

  @Override
  public List<String> modes() {
    return List.of("syntax");
  }

  @Override
  public String recompose(Map<String, String> components) {
    return UriComponentsBuilder.newInstance()
        .scheme(components.get("scheme"))
        .userInfo(components.get("userinfo"))
        .host(components.get("host"))
        .port(components.get("port"))
        .path(components.get("path"))
        .query(components.get("query"))
        .fragment(components.get("fragment"))
        .build()
        .toUriString();
  }

  private UriComponents components(String text) {
    return UriComponentsBuilder.fromUriString(text, parser).build();
  }

  @Override
  public List<String> specs() {
    return parser == ParserType.RFC ? List.of("rfc3986") : List.of();
  }

  @Override
  public String homepage() {
    return "https://spring.io/projects/spring-framework";
  }

  @Override
  public String version() {
    return SpringVersion.getVersion();
  }
}
