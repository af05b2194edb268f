// An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
import java.io.*; import java.net.*; import java.util.*;

public class Adapter {
    static final Map<String, Object> HELLO = Json.of("type", "hello", "protocol", 1, "window", 64,
        "ops", List.of("validate", "parse", "resolve"), "specs", List.of("rfc2396", "rfc2732"),
        "features", List.of("validate-by-parse", "absent-vs-empty"), // it distinguishes http://h from http://h?
        "implementation", Json.of("name", "java.net.URI", "version", "" + Runtime.version(), "language", "java"));

    /** Your library goes here: null is absent, "" is present but empty; leave out what it does not have. */
    static Map<String, Object> answer(Map<?, ?> q) throws URISyntaxException {
        Object op = q.get("op"), rule = q.get("rule");
        if (op.equals("resolve") && q.get("base") instanceof String base && q.get("reference") instanceof String ref)
            return Json.of("status", "ok", "url", new URI(base).resolve(new URI(ref)).toString());
        if (!(op.equals("validate") || op.equals("parse")) || !(q.get("url") instanceof String url)
            || !Arrays.asList("rfc2396", "rfc2732", "rfc3986").contains(q.get("spec"))
            || !Arrays.asList(null, "URI", "URI-reference").contains(rule))
            return Json.of("status", "unsupported", "message", "not this operation, specification, rule or bytes");
        URI u = new URI(url);
        if ("URI".equals(rule) && !u.isAbsolute()) return Json.of("status", "reject", "message", "no scheme");
        return op.equals("validate") ? Json.of("status", "ok") : Json.of("status", "ok", "components", Json.of(
            "scheme", u.getScheme(), "authority", u.getRawAuthority(), "userinfo", u.getRawUserInfo(),
            "host", u.getHost(), "port", u.getPort() < 0 ? null : "" + u.getPort(), "query", u.getRawQuery(),
            "path", u.isOpaque() ? u.getRawSchemeSpecificPart() : u.getRawPath(), "fragment", u.getRawFragment()));
    }
    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = in.readLine()) != null; ) if (!line.isBlank()) {
            Map<?, ?> q = (Map<?, ?>) Json.read(line);
            if (q.get("type").equals("bye")) return;
            Map<String, Object> reply = HELLO;
            try { if (q.containsKey("op")) reply = answer(q); } // an exception fails only this question
            catch (URISyntaxException e) { reply = Json.of("status", "reject", "message", e.getMessage()); }
            catch (RuntimeException | StackOverflowError e) { reply = Json.of("status", "error", "message", "" + e); }
            reply.put("id", q.get("id"));
            System.out.println(Json.write(reply)); // flushed at the end of the line
        }
    }
}
