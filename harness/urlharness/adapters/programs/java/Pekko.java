import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.pekko.http.scaladsl.model.IllegalUriException;
import org.apache.pekko.http.scaladsl.model.Uri;
import org.parboiled2.ParserInput;
import scala.Option;

/** {@code Uri} of Pekko HTTP in its default mode, the relaxed one. */
final class Pekko implements Library {
  private static final Uri.ParsingMode MODE = org.apache.pekko.http.javadsl.model.Uri.RELAXED;

  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "resolve", "normalize", "recompose");
  }

  @Override
  public boolean refuses(Exception exception) {
    // "require" throws the second exception for a base without a scheme
    return exception instanceof IllegalUriException
        || exception instanceof IllegalArgumentException;
  }

  @Override
  public String scheme(String text) {
    return Library.unlessEmpty(Uri.apply(text).scheme());
  }

  /** The port in the authority is 0 if it is the default. Userinfo and fragment are decoded. */
  @Override
  public Map<String, String> parse(String text) {
    Uri url = Uri.apply(text);
    Uri.Authority authority = url.authority();
    return Library.parts(
        "scheme", Library.unlessEmpty(url.scheme()),
        "authority", Library.unlessEmpty(authority.toString()),
        "userinfo", Library.unlessEmpty(authority.userinfo()),
        "host", Library.unlessEmpty(authority.host().toString()),
        "port", Library.number(authority.port(), 0),
        "path", url.path().toString(),
        "query", url.rawQueryString().getOrElse(() -> null),
        "fragment", url.fragment().getOrElse(() -> null));
  }

  @Override
  public String resolve(String base, String reference) {
    ParserInput input = ParserInput.apply(reference);
    return Uri.parseAndResolve(input, Uri.apply(base), StandardCharsets.UTF_8, MODE).toString();
  }

  @Override
  public String normalize(String text) {
    return Uri.normalize(ParserInput.apply(text), StandardCharsets.UTF_8, MODE);
  }

  @Override
  public String recompose(Map<String, String> components) {
    String port = components.getOrDefault("port", "0");
    return Uri.from(
            components.getOrDefault("scheme", ""),
            decodedUserinfo(components.getOrDefault("userinfo", "")),
            components.getOrDefault("host", ""),
            port.isEmpty() ? 0 : Integer.parseInt(port),
            components.get("path"),
            Option.apply(components.get("query")),
            Option.apply(decodedFragment(components.get("fragment"))),
            MODE)
        .toString();
  }

  /** The userinfo as the parser of the library sets it: decoded, like the fragment. */
  private static String decodedUserinfo(String userinfo) {
    return userinfo.contains("%")
        ? parsed("//" + userinfo + "@h").authority().userinfo()
        : userinfo;
  }

  /** The fragment as the parser of the library sets it. */
  private static String decodedFragment(String fragment) {
    return fragment != null && fragment.contains("%")
        ? parsed("#" + fragment).fragment().get()
        : fragment;
  }

  private static Uri parsed(String text) {
    try {
      return Uri.apply(text);
    } catch (IllegalUriException e) {
      throw new Unsupported("the parser refuses a component, so no value of the field stands for it");
    }
  }

  @Override
  public List<String> specs() {
    return List.of("rfc3986");
  }

  @Override
  public String language() {
    return "scala";
  }

  @Override
  public String homepage() {
    return "https://pekko.apache.org/docs/pekko-http/current/";
  }

  @Override
  public String version() {
    return Library.versionOf(Uri.class);
  }
}
