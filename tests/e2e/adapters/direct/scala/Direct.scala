import com.google.gson.{GsonBuilder, JsonObject, JsonParser}
import java.io.PrintStream
import java.nio.charset.StandardCharsets
import java.util.LinkedHashMap
import org.apache.pekko.http.scaladsl.model.{IllegalUriException, Uri}
import scala.io.{Codec, Source}

/** Prints the accessors of a Scala library: `Direct LIBRARY`, one question and one answer a line.
  *
  * Each library is called as its documentation does it; direct.toml names the page.
  */
object Direct:
  private val gson = GsonBuilder().serializeNulls().disableHtmlEscaping().create()

  /** A library. */
  private trait Library:
    def parse(url: String): Seq[(String, Any)]

    def resolve(base: String, reference: String): String

    def normalize(url: String): String

    /** Returns true if the documentation says that the library refuses a text with this exception. */
    def refuses(exception: Exception): Boolean

  private object Pekko extends Library:
    def parse(url: String): Seq[(String, Any)] =
      val uri = Uri(url)
      Seq(
        "scheme" -> uri.scheme,
        "authority" -> uri.authority.toString,
        "authority.userinfo" -> uri.authority.userinfo,
        "authority.host" -> uri.authority.host.toString,
        "authority.port" -> uri.authority.port,
        "effectivePort" -> uri.effectivePort,
        "path" -> uri.path.toString,
        "rawQueryString" -> uri.rawQueryString.orNull,
        "fragment" -> uri.fragment.orNull
      )

    def resolve(base: String, reference: String): String =
      Uri.parseAndResolve(reference, Uri(base)).toString

    def normalize(url: String): String = Uri.normalize(url)

    // `require`, which checks that the base is absolute, throws an IllegalArgumentException
    def refuses(exception: Exception): Boolean = exception match
      case _: IllegalUriException | _: IllegalArgumentException => true
      case _                                                    => false

  private def library(name: String): Library = name match
    case "pekko-http-core" => Pekko
    case _                 => throw IllegalArgumentException(name)

  /** Returns names and values as a map that Gson writes in this order. */
  private def fields(namesAndValues: (String, Any)*): LinkedHashMap[String, Any] =
    val map = LinkedHashMap[String, Any]()
    for (name, value) <- namesAndValues do map.put(name, value)
    map

  private def answer(library: Library, question: JsonObject): LinkedHashMap[String, Any] =
    def field(name: String): String = question.get(name).getAsString
    try
      field("op") match
        case "parse"     => fields("accessors" -> fields(library.parse(field("url"))*))
        case "resolve"   => fields("url" -> library.resolve(field("base"), field("reference")))
        case "normalize" => fields("url" -> library.normalize(field("url")))
        case _           => fields("offered" -> false)
    catch
      case exception: Exception if library.refuses(exception) =>
        fields("refused" -> String.valueOf(exception.getMessage))
      case exception: Exception => fields("failed" -> exception.toString)

  def main(arguments: Array[String]): Unit =
    val calledLibrary = library(arguments(0))
    val output = PrintStream(System.out, true, StandardCharsets.UTF_8)
    for line <- Source.fromInputStream(System.in)(using Codec.UTF8).getLines() do
      val question = JsonParser.parseString(line).getAsJsonObject
      output.println(gson.toJson(answer(calledLibrary, question)))
