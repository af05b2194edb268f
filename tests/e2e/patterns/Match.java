// Prints the answer of a pattern to each text; see test_patterns.py for both formats.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Match {
    public static void main(String[] arguments) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Pattern pattern = Pattern.compile(input.readLine());
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            byte[] bytes = HexFormat.of().parseHex(line.substring(1));
            Matcher matcher = pattern.matcher(new String(bytes, StandardCharsets.UTF_8));
            output.println(matcher.find() ? groups(matcher) : "null");
        }
        output.flush();
    }

    /** Returns the groups of a match as an array in JSON. */
    static String groups(Matcher matcher) {
        var groups = new StringJoiner(",", "[", "]");
        for (int number = 1; number <= matcher.groupCount(); number++) {
            String text = matcher.group(number);
            groups.add(text == null ? "null" : quoted(text));
        }
        return groups.toString();
    }

    static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            quoted.append(String.format("\\u%04x", (int) unit));
        }
        return quoted.append('"').toString();
    }
}
