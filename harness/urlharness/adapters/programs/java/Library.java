import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A library as the adapter uses it. The methods that take texts throw what the library throws.
 *
 * <p>Components have the names of RFC 3986, and {@code user}, {@code password} and {@code params}.
 * Null means that a component is absent. A library itself may use null, an empty {@code Optional},
 * a number such as -1, or, according to its documentation, an empty text.
 */
interface Library {
  /** A base for parsers that accept a relative reference only with a base. */
  String BASE = "http://a/b/c/d;p?q";

  /** The operations of the protocol that the library has. */
  List<String> operations();

  /** Returns true if the exception refuses a text. */
  boolean refuses(Exception exception);

  /** The scheme of a valid text, or null for a relative reference. */
  String scheme(String text) throws Exception;

  /** The scheme of a valid text under RFC 3987, or null for a relative reference. */
  default String schemeOfIri(String text) throws Exception {
    return scheme(text);
  }

  /** The components as the library shows them. Components that it does not show are left out. */
  Map<String, String> parse(String text) throws Exception;

  default String resolve(String base, String reference) throws Exception {
    throw new Unsupported("the library has no such operation");
  }

  default String normalize(String text) throws Exception {
    throw new Unsupported("the library has no such operation");
  }

  default String recompose(Map<String, String> components) throws Exception {
    throw new Unsupported("the library has no such operation");
  }

  /** The RFCs that the documentation of the library claims. */
  default List<String> specs() {
    return List.of();
  }

  default List<String> features() {
    return List.of("absent-vs-empty", "validate-by-parse");
  }

  /** The modes in which the library normalizes: RFC 3986, sections 6.2.2 and 6.2.3. */
  default List<String> modes() {
    return List.of("syntax", "scheme");
  }

  /** The language of the parser. */
  default String language() {
    return "java";
  }

  String homepage();

  String version();

  /**
   * Returns true if the library refuses a text only because it is a relative reference: the text
   * has no scheme, and the library accepts it with a base.
   */
  default boolean needsBase(String text) {
    if (text.matches("(?s)[A-Za-z][A-Za-z0-9+.-]*:.*")) {
      return false;
    }
    try {
      resolve(BASE, text);
      return true;
    } catch (Exception e) { // also a fault of the library: it does not accept the text
      return false;
    }
  }

  /** The version in the name of the jar that contains a class. */
  static String versionOf(Class<?> type) {
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return jar.replaceFirst(".*-(\\d[^/]*)\\.jar$", "$1");
  }

  /** Components from names and values that alternate. */
  static Map<String, String> parts(String... namesAndValues) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      parts.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return parts;
  }

  /** A number as text, or null for the number that the library uses for an absent component. */
  static String number(int number, int absent) {
    return number == absent ? null : String.valueOf(number);
  }

  /** A text, or null if the library shows an absent component as an empty text. */
  static String unlessEmpty(String text) {
    return text.isEmpty() ? null : text;
  }

  /** The host, with the brackets of an IP literal. The library omits the brackets. */
  static String inBrackets(String host) {
    return host != null && host.contains(":") ? "[" + host + "]" : host;
  }

  /** A question that the library cannot answer. */
  final class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unsupported(String message) {
      super(message);
    }
  }
}
