import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per
 * line. A library of IRIs adds "rfc3987" to specs, and to ops "to_uri" and "to_iri", whose answers
 * have a url.
 */
public final class Adapter {
  private static final Map<String, Object> HELLO =
      Json.of(
          "type", "hello",
          "protocol", 1,
          "window", 64,
          "ops", List.of("validate", "parse", "resolve"),
          "specs", List.of("rfc2396", "rfc2732"), // the RFCs that it claims
          // "absent-vs-empty": it distinguishes http://h from http://h?
          "features", List.of("validate-by-parse", "absent-vs-empty"),
          "implementation",
              Json.of(
                  "name", "java.net.URI",
                  "version", Runtime.version().toString(),
                  "language", "java"));

  private static final List<String> RULES =
      List.of("URI", "URI-reference", "IRI", "IRI-reference");

  private Adapter() {}

  /**
   * Your library goes here: null is absent, "" is present but empty; leave out what it does not
   * have.
   */
  private static Map<String, Object> answer(Map<?, ?> question) throws URISyntaxException {
    Object op = question.get("op");
    if ("resolve".equals(op)
        && question.get("base") instanceof String base
        && question.get("reference") instanceof String reference) {
      URI target = new URI(base).resolve(new URI(reference));
      return Json.of("status", "ok", "url", target.toString());
    }
    Object rule = question.get("rule");
    boolean known =
        ("validate".equals(op) || "parse".equals(op))
            && List.of("rfc2396", "rfc2732", "rfc3986", "rfc3987").contains(question.get("spec"))
            && RULES.contains(rule == null ? "URI-reference" : rule);
    if (!known || !(question.get("url") instanceof String text)) {
      return unsupported("not this operation, specification, rule or bytes");
    }
    URI uri = new URI(text);
    if (("URI".equals(rule) || "IRI".equals(rule)) && !uri.isAbsolute()) {
      return Json.of("status", "reject", "message", "no scheme");
    }
    if ("validate".equals(op)) {
      return Json.of("status", "ok");
    }
    Map<String, Object> components =
        Json.of(
            "scheme", uri.getScheme(),
            "authority", uri.getRawAuthority(),
            "userinfo", uri.getRawUserInfo(),
            "host", uri.getHost(),
            "port", uri.getPort() < 0 ? null : String.valueOf(uri.getPort()),
            "path", uri.isOpaque() ? uri.getRawSchemeSpecificPart() : uri.getRawPath(),
            "query", uri.getRawQuery(),
            "fragment", uri.getRawFragment());
    return Json.of("status", "ok", "components", components);
  }

  private static Map<String, Object> unsupported(String why) {
    return Json.of("status", "unsupported", "message", why);
  }

  private static Map<String, Object> reply(Map<?, ?> question) {
    try {
      return answer(question);
    } catch (URISyntaxException e) {
      return Json.of("status", "reject", "message", e.getMessage());
    } catch (RuntimeException | StackOverflowError e) { // it fails only this question
      return Json.of("status", "error", "message", e.toString());
    }
  }

  /** Answers each line until {@code bye} or the end of the input. */
  public static void main(String[] args) throws IOException {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isBlank()) {
        continue;
      }
      Map<?, ?> message = (Map<?, ?>) Json.read(line);
      if ("bye".equals(message.get("type"))) {
        return;
      }
      Map<String, Object> reply = "hello".equals(message.get("type")) ? HELLO : reply(message);
      reply.put("id", message.get("id"));
      System.out.println(Json.write(reply)); // flushed at the end of the line
    }
  }
}
