import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * JSON, because the Java library does not contain it. Objects are maps, arrays are lists, and
 * numbers stay as written.
 */
final class Json {
  /** A number, true or false, as its text. */
  record Word(String text) {}

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Returns an object from alternating names and values. */
  static Map<String, Object> of(Object... namesAndValues) {
    Map<String, Object> made = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      made.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return made;
  }

  /** Returns the value of a JSON text. */
  static Object read(String text) {
    return new Json(text).value();
  }

  /** Returns the next character that is not white space. */
  private char next() {
    while (Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.charAt(at);
  }

  private Object value() {
    return switch (next()) {
      case '"' -> string();
      case '{' -> object();
      case '[' -> array();
      default -> word();
    };
  }

  private Object word() {
    int start = at;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(start, at);
    return word.equals("null") ? null : new Word(word);
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    for (at++; next() != '}'; ) {
      if (next() == ',') {
        at++;
        next();
      }
      String name = string();
      next(); // the colon
      at++;
      members.put(name, value());
    }
    at++;
    return members;
  }

  private List<Object> array() {
    List<Object> items = new ArrayList<>();
    for (at++; next() != ']'; ) {
      if (next() == ',') {
        at++;
      }
      items.add(value());
    }
    at++;
    return items;
  }

  private String string() {
    StringBuilder made = new StringBuilder();
    for (at++; text.charAt(at) != '"'; at++) {
      made.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
    }
    at++;
    return made.toString();
  }

  /** Returns the character that an escape means. Moves to the last character of the escape. */
  private char escaped() {
    char kind = text.charAt(++at);
    if (kind == 'u') {
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
    }
    int known = "nrtbf".indexOf(kind);
    return known < 0 ? kind : "\n\r\t\b\f".charAt(known);
  }

  /** Returns a value as JSON, in ASCII. */
  static String write(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(member -> write(member.getKey()) + ":" + write(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Word word) {
      return word.text;
    }
    return value instanceof String string ? quoted(string) : String.valueOf(value);
  }

  private static String quoted(String text) {
    StringBuilder made = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < 32 || c > 126 || c == '"' || c == '\\') {
        made.append(String.format("\\u%04x", (int) c));
      } else {
        made.append(c);
      }
    }
    return made.append('"').toString();
  }
}
