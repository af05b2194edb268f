import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.web.util.UriComponentsBuilder.ParserType;

/**
 * urlconform adapter for libraries of the JVM: {@code java Adapter LIBRARY RFCS}.
 *
 * <p>RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the
 * components. Every answer comes from the library: the adapter only translates names, and does not
 * correct any answer.
 */
public final class Adapter {
  private static final Gson JSON =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .serializeNulls()
          .disableHtmlEscaping()
          .create();

  private final String name;
  private final Library library;
  private final JsonObject rfcs;

  private Adapter(String name, JsonObject rfcs) {
    this.name = name;
    this.library = library(name);
    this.rfcs = rfcs;
  }

  /** Loads only the class of one library. The other libraries need not be installed. */
  private static Library library(String name) {
    return switch (name) {
      case "java-net-url" -> new JavaNetUrl();
      case "httpcore5" -> new HttpCore();
      case "okhttp" -> new OkHttp();
      case "spring-rfc" -> new Spring(ParserType.RFC);
      case "spring-whatwg" -> new Spring(ParserType.WHAT_WG);
      case "jetty-http" -> new Jetty();
      case "jena-iri3986" -> new Jena();
      case "galimatias" -> new Galimatias();
      case "ktor-http" -> new Ktor();
      case "pekko-http-core" -> new Pekko();
      default -> throw new IllegalArgumentException("no library " + name);
    };
  }

  private Map<String, Object> hello() {
    Map<String, Object> implementation = new LinkedHashMap<>();
    implementation.put("name", name);
    implementation.put("version", library.version());
    implementation.put("language", library.language());
    implementation.put(
        "runtime", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    implementation.put("homepage", library.homepage());
    Map<String, Object> hello = new LinkedHashMap<>();
    hello.put("type", "hello");
    hello.put("protocol", 1);
    hello.put("implementation", implementation);
    hello.put("ops", library.operations());
    hello.put("specs", library.specs());
    hello.put("features", library.features());
    hello.put(
        "modes", library.operations().contains("normalize") ? library.modes() : List.of());
    hello.put("window", 64);
    return hello;
  }

  private Map<String, Object> answer(JsonObject question) {
    Map<String, Object> reply = new LinkedHashMap<>();
    reply.put("id", question.get("id"));
    reply.put("status", "ok");
    try {
      String operation = question.get("op").getAsString();
      if (!library.operations().contains(operation)) {
        throw new Library.Unsupported("the library has no such operation");
      }
      switch (operation) {
        case "validate" -> {
          validate(question);
          if (!parses(text(question.get("url")))) {
            reply.put("message", "only with a base");
          }
        }
        case "parse" -> reply.put("components", parse(question));
        case "resolve" -> reply.put("url", shown(resolve(question)));
        case "normalize" -> reply.put("url", shown(library.normalize(text(question.get("url")))));
        case "recompose" -> reply.put("url", shown(library.recompose(components(question))));
        default -> throw new IllegalStateException(operation);
      }
    } catch (Library.Unsupported e) {
      reply.put("status", "unsupported");
      reply.put("message", String.valueOf(e.getMessage()));
    } catch (Exception e) {
      boolean refused = e instanceof Refusal || library.refuses(e);
      reply.put("status", refused ? "reject" : "error");
      reply.put("message", refused ? String.valueOf(e.getMessage()) : e.toString());
    }
    return reply;
  }

  /** Accepts a text if the library accepts it, and if it has the form that the rule requires. */
  private void validate(JsonObject question) throws Exception {
    JsonObject rule = rule(question);
    String text = text(question.get("url"));
    boolean isIri = question.get("spec").getAsString().equals("rfc3987");
    String scheme = isIri ? library.schemeOfIri(text) : library.scheme(text);
    String form = rule.get("form").getAsString();
    if (form.equals("absolute") && scheme == null) {
      throw new Refusal("it has no scheme");
    }
    if (form.equals("relative") && scheme != null) {
      throw new Refusal("it has a scheme");
    }
    if (!rule.get("fragment").getAsBoolean() && text.contains("#")) {
      throw new Refusal("it has a fragment");
    }
    if (rule.has("scheme") && !rule.get("scheme").getAsString().equalsIgnoreCase(scheme)) {
      throw new Refusal("the scheme is " + scheme);
    }
  }

  /** Returns true if the library parses a text without a base. */
  private boolean parses(String text) {
    try {
      library.parse(text);
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  /** Returns the components under the names of the RFC. */
  private Map<String, Object> parse(JsonObject question) throws Exception {
    rule(question);
    String text = text(question.get("url"));
    Map<String, String> parts;
    try {
      parts = library.parse(text);
    } catch (Exception e) {
      if (library.refuses(e)) {
        library.scheme(text); // this refuses the text, too, unless it is a relative reference
        throw new Library.Unsupported("the library has no components of a relative reference");
      }
      throw e;
    }
    if (!parts.containsKey("userinfo") && parts.containsKey("password")) {
      parts.put("userinfo", joined(parts.get("user"), parts.get("password")));
    }
    if (parts.containsKey("path")) {
      String path = parts.get("path");
      parts.put("path", path == null ? "" : path); // it may be empty, but is never absent
      parts.put("url-path", path != null && path.startsWith("/") ? path.substring(1) : null);
    }
    JsonObject specs = rfcs.getAsJsonObject("components");
    JsonObject names = specs.getAsJsonObject(question.get("spec").getAsString());
    String scheme = String.valueOf(parts.get("scheme")).toLowerCase(Locale.ROOT);
    Map<String, Object> components = new LinkedHashMap<>();
    names
        .getAsJsonObject(names.has(scheme) ? scheme : "")
        .asMap()
        .forEach(
            (own, part) -> {
              if (parts.containsKey(part.getAsString())) {
                components.put(own, shown(parts.get(part.getAsString())));
              }
            });
    return components;
  }

  private String resolve(JsonObject question) throws Exception {
    return library.resolve(text(question.get("base")), text(question.get("reference")));
  }

  /** Returns the components of a question that are not null, under the names of RFC 3986. */
  private static Map<String, String> components(JsonObject question) {
    if (List.of("rfc1738", "rfc1808").contains(question.get("spec").getAsString())) {
      throw new Library.Unsupported("the library has the components of RFC 3986");
    }
    Map<String, String> components = new HashMap<>();
    question
        .getAsJsonObject("components")
        .asMap()
        .forEach(
            (name, value) -> {
              if (!value.isJsonNull()) {
                components.put(name, text(value));
              }
            });
    return components;
  }

  /** Returns the form that the rule of a question requires. */
  private JsonObject rule(JsonObject question) {
    String spec = question.get("spec").getAsString();
    JsonElement rule = question.get("rule");
    JsonObject rules = rfcs.getAsJsonObject("rules").getAsJsonObject(spec);
    JsonElement form =
        rules.get((rule == null ? rfcs.getAsJsonObject("default").get(spec) : rule).getAsString());
    if (form == null) {
      throw new Library.Unsupported("the library knows whole URLs only");
    }
    return form.getAsJsonObject();
  }

  private static String text(JsonElement value) {
    if (value.isJsonObject()) {
      throw new Library.Unsupported("the library takes text, not bytes");
    }
    return value.getAsString();
  }

  /** Returns the userinfo as libraries write it: without a colon if there is no password. */
  private static String joined(String user, String password) {
    return password == null ? user : (user == null ? "" : user) + ":" + password;
  }

  /** Returns the reply to a message, or null if there is none. */
  private Map<String, Object> reply(JsonObject message) {
    JsonElement type = message.get("type");
    return switch (type == null ? "" : type.getAsString()) {
      case "hello" -> hello();
      case "run" -> answer(message);
      default -> null;
    };
  }

  /** Answers the messages on stdin, one JSON object per line, until {@code bye}. */
  private void serve(PrintStream output) throws IOException {
    // Lines are split as bytes, so that a line that is not UTF-8 does not affect earlier lines.
    var input = new InputStreamReader(System.in, StandardCharsets.ISO_8859_1);
    var lines = new BufferedReader(input);
    for (String line; (line = lines.readLine()) != null; ) {
      if (line.isBlank()) {
        continue;
      }
      JsonObject message = JSON.fromJson(utf8(line), JsonObject.class);
      if (message.has("type") && message.get("type").getAsString().equals("bye")) {
        return;
      }
      Map<String, Object> reply = reply(message);
      if (reply != null) {
        output.println(JSON.toJson(reply));
        output.flush();
      }
    }
  }

  /** Returns a text, or its bytes if it is not Unicode: lone surrogates are encoded, too. */
  private static Object shown(String text) {
    if (text == null || StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    text.codePoints()
        .forEach(
            point -> {
              if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                bytes.write(0xe0 | point >> 12);
                bytes.write(0x80 | point >> 6 & 0x3f);
                bytes.write(0x80 | point & 0x3f);
              } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
              }
            });
    return Map.of("hex", HexFormat.of().formatHex(bytes.toByteArray()));
  }

  private static String utf8(String line) throws CharacterCodingException {
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /** Runs the adapter. If an Error or an invalid line ends it, a message names the library. */
  public static void main(String[] args) throws IOException {
    try {
      JsonObject rfcs = JSON.fromJson(Files.readString(Path.of(args[1])), JsonObject.class);
      new Adapter(args[0], rfcs).serve(new PrintStream(System.out, false, StandardCharsets.UTF_8));
    } catch (CharacterCodingException | JsonParseException e) {
      System.err.println(args[0] + ": invalid line: " + e.getMessage());
      System.exit(2);
    } catch (Error e) {
      System.err.println(args[0] + ": " + e);
      for (StackTraceElement frame : List.of(e.getStackTrace()).stream().limit(10).toList()) {
        System.err.println("    at " + frame);
      }
      System.exit(1);
    }
  }

  /** A text that does not have the form that the rule requires. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
      super(message);
    }
  }
}
