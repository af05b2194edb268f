import java.util.List;
import java.util.Map;
import org.apache.jena.rfc3986.IRI3986;
import org.apache.jena.rfc3986.IRIParseException;

/** {@code IRI3986} of Apache Jena. Its violations concern schemes, and do not refuse a text. */
final class Jena implements Library {
  @Override
  public List<String> operations() {
    return List.of("validate", "parse", "resolve", "normalize", "recompose");
  }

  @Override
  public boolean refuses(Exception exception) {
    return exception instanceof IRIParseException;
  }

  @Override
  public String scheme(String text) {
    IRI3986 iri = IRI3986.create(text);
    if (!iri.isRFC3986()) {
      throw new IRIParseException(text, "isRFC3986 returns false");
    }
    return iri.scheme();
  }

  @Override
  public String schemeOfIri(String text) {
    return IRI3986.create(text).scheme();
  }

  @Override
  public Map<String, String> parse(String text) {
    IRI3986 iri = IRI3986.create(text);
    return Library.parts(
        "scheme", iri.scheme(),
        "authority", iri.authority(),
        "userinfo", iri.userInfo(),
        "host", iri.host(),
        "port", iri.port(),
        "path", iri.path(),
        "query", iri.query(),
        "fragment", iri.fragment());
  }

  @Override
  public String resolve(String base, String reference) {
    return IRI3986.create(base).resolve(IRI3986.create(reference)).str();
  }

  @Override
  public String normalize(String text) {
    return IRI3986.create(text).normalize().str();
  }

  @Override
  public String recompose(Map<String, String> components) {
    return IRI3986
        .build(
            components.get("scheme"),
            components.get("authority"),
            components.get("path"),
            components.get("query"),
            components.get("fragment"))
        .str();
  }

  @Override
  public List<String> specs() {
    return List.of("rfc3986", "rfc3987");
  }

  /** Without validate-by-parse: the parser accepts all IRIs, and isRFC3986 checks for URIs. */
  @Override
  public List<String> features() {
    return List.of("absent-vs-empty");
  }

  @Override
  public String homepage() {
    return "https://jena.apache.org/documentation/notes/iri.html";
  }

  @Override
  public String version() {
    return Library.versionOf(IRI3986.class);
  }
}
