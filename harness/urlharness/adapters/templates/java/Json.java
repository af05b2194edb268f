// JSON, which the library of Java does not have: objects are maps, arrays are lists, numbers stay as written.
import java.util.*;
import java.util.stream.*;

final class Json {
    /** A number, true or false, as its text. */
    record Word(String text) { }

    private final String text;
    private int at;

    private Json(String text) { this.text = text; }

    static Map<String, Object> of(Object... namesAndValues) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) made.put((String) namesAndValues[i], namesAndValues[i + 1]);
        return made;
    }

    static Object read(String text) { return new Json(text).value(); }

    private char next() { // the next character that is no space
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at);
    }

    private Object value() {
        char first = next();
        if (first == '"') return string();
        if (first != '{' && first != '[') {
            int start = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return word.equals("null") ? null : new Word(word);
        }
        Map<String, Object> members = new LinkedHashMap<>();
        List<Object> items = new ArrayList<>();
        for (at++; next() != '}' && next() != ']'; ) {
            if (next() == ',') at++;
            else if (first == '[') items.add(value());
            else {
                next();
                String name = string();
                if (next() == ':') at++;
                members.put(name, value());
            }
        }
        at++;
        return first == '[' ? items : members;
    }

    private String string() {
        StringBuilder made = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c == '\\') {
                c = text.charAt(++at);
                int kind = "nrtbf".indexOf(c);
                if (kind >= 0) c = "\n\r\t\b\f".charAt(kind);
                if (c == 'u') {
                    c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            made.append(c);
        }
        at++;
        return made.toString();
    }

    static String write(Object value) {
        if (value instanceof Map<?, ?> map)
            return map.entrySet().stream().map(member -> write(member.getKey()) + ":" + write(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        if (value instanceof List<?> list)
            return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
        if (value instanceof Word word) return word.text;
        if (!(value instanceof String string)) return String.valueOf(value);
        StringBuilder made = new StringBuilder("\"");
        for (char c : string.toCharArray())
            if (c < 32 || c > 126 || c == '"' || c == '\\') made.append(String.format("\\u%04x", (int) c));
            else made.append(c);
        return made.append('"').toString();
    }
}
