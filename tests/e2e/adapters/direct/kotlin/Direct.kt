import com.google.gson.GsonBuilder
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import io.ktor.http.URLBuilder
import io.ktor.http.URLDecodeException
import io.ktor.http.URLParserException
import io.ktor.http.Url
import io.ktor.http.takeFrom
import java.io.PrintStream

/*
 * Prints the accessors of a Kotlin library: `DirectKt LIBRARY`, one question and one answer a line.
 *
 * Each library is called as its documentation does it; direct.toml names the page.
 */

private val GSON = GsonBuilder().serializeNulls().disableHtmlEscaping().create()

/** A library. */
private interface Library {
    fun parse(text: String): Map<String, Any?>

    fun resolve(base: String, reference: String): String

    /** Returns true if the documentation says that the library refuses a text with this exception. */
    fun refuses(exception: Exception): Boolean
}

private object Ktor : Library {
    override fun parse(text: String): Map<String, Any?> {
        val url = Url(text)
        return mapOf(
            "protocolOrNull" to url.protocolOrNull?.name,
            "protocol" to url.protocol.name,
            "encodedUser" to url.encodedUser,
            "encodedPassword" to url.encodedPassword,
            "host" to url.host,
            "specifiedPort" to url.specifiedPort,
            "port" to url.port,
            "encodedPath" to url.encodedPath,
            "encodedQuery" to url.encodedQuery,
            "trailingQuery" to url.trailingQuery,
            "encodedFragment" to url.encodedFragment,
        )
    }

    override fun resolve(base: String, reference: String): String =
        URLBuilder(base).takeFrom(reference).buildString()

    override fun refuses(exception: Exception): Boolean =
        exception is URLParserException || exception is URLDecodeException
}

private fun library(name: String): Library =
    when (name) {
        "ktor-http" -> Ktor
        else -> throw IllegalArgumentException(name)
    }

private fun answer(library: Library, question: JsonObject): Map<String, Any?> {
    fun field(name: String): String = question.get(name).asString
    return try {
        when (field("op")) {
            "parse" -> mapOf("accessors" to library.parse(field("url")))
            "resolve" -> mapOf("url" to library.resolve(field("base"), field("reference")))
            else -> mapOf("offered" to false)
        }
    } catch (exception: Exception) {
        if (library.refuses(exception)) {
            mapOf("refused" to exception.message.toString())
        } else {
            mapOf("failed" to exception.toString())
        }
    }
}

fun main(arguments: Array<String>) {
    val library = library(arguments[0])
    val output = PrintStream(System.out, true, Charsets.UTF_8)
    for (line in System.`in`.bufferedReader().lineSequence()) {
        output.println(GSON.toJson(answer(library, JsonParser.parseString(line).asJsonObject)))
    }
}
