using System;
using System.Collections.Generic;
using System.IO;
using System.Json;
using System.Linq;
using System.Text;

/// <summary>The urlconform adapter for System.Uri: <c>mono adapter.exe LIBRARY RFCS</c>.</summary>
/// <remarks>
/// RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
/// Every answer comes from the library: the adapter only translates names, and does not correct any answer.
/// </remarks>
internal sealed class Adapter
{
    private readonly string name;
    private readonly JsonValue rfcs;
    private readonly Dictionary<string, Func<JsonValue, JsonObject>> operations;

    private Adapter(string name, JsonValue rfcs)
    {
        this.name = name;
        this.rfcs = rfcs;
        operations = new Dictionary<string, Func<JsonValue, JsonObject>>
        {
            ["validate"] = Validate,
            ["parse"] = Parse,
            ["resolve"] = q => Url(SystemUri.Resolve(Text(q["base"]), Text(q["reference"]))),
            ["recompose"] = Recompose,
            ["normalize"] = q => Url(SystemUri.Normalize(Text(q["url"]))),
            ["equivalent"] = q => Ok("equal", SystemUri.Equal(Text(q["url"]), Text(q["other"]))),
        };
    }

    private static int Main(string[] arguments)
    {
        if (arguments.Length != 2 || arguments[0] != "system-uri")
        {
            Console.Error.WriteLine("usage: mono adapter.exe system-uri RFCS");
            return 2;
        }
        new Adapter(arguments[0], JsonValue.Parse(File.ReadAllText(arguments[1]))).Serve();
        return 0;
    }

    /// <summary>Answers the questions on stdin, one JSON object per line.</summary>
    private void Serve()
    {
        var utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
        var input = new StreamReader(Console.OpenStandardInput(), utf8);
        var output = new StreamWriter(Console.OpenStandardOutput(), utf8) { AutoFlush = true, NewLine = "\n" };
        for (string line; (line = input.ReadLine()) != null;)
        {
            if (string.IsNullOrWhiteSpace(line))
            {
                continue;
            }
            JsonValue message = JsonValue.Parse(line);
            switch (message.ContainsKey("type") ? (string)message["type"] : "")
            {
                case "hello":
                    output.WriteLine(Hello().ToString());
                    break;
                case "run":
                    JsonObject reply = Reply(message);
                    reply["id"] = message["id"];
                    output.WriteLine(reply.ToString());
                    break;
                case "bye":
                    return;
            }
        }
    }

    private JsonObject Hello()
    {
        string version = SystemUri.Version();
        return new JsonObject
        {
            ["type"] = "hello",
            ["protocol"] = 1,
            ["implementation"] = new JsonObject
            {
                ["name"] = name,
                ["version"] = version,
                ["language"] = "csharp",
                ["runtime"] = "Mono " + version,
                ["homepage"] = SystemUri.Homepage,
            },
            ["ops"] = Texts(operations.Keys),
            ["specs"] = Texts(SystemUri.Specs),
            ["features"] = Texts(new[] { "absent-vs-empty" }),
            ["modes"] = Texts(new[] { "syntax", "scheme" }),
            ["window"] = 64,
        };
    }

    /// <summary>The reply to a question, without its id.</summary>
    private JsonObject Reply(JsonValue question)
    {
        try
        {
            if (!operations.TryGetValue(question["op"], out Func<JsonValue, JsonObject> operation))
            {
                throw new UnsupportedException("the library has no such operation");
            }
            return operation(question);
        }
        catch (UnsupportedException e)
        {
            return Failure("unsupported", e.Message);
        }
        catch (UriFormatException e)
        {
            return Failure("reject", e.Message);
        }
        catch (Exception e)
        {
            return Failure("error", e.GetType() + ": " + e.Message);
        }
    }

    /// <summary>Accepts a well-formed text, if it has the form that the rule requires.</summary>
    private JsonObject Validate(JsonValue question)
    {
        JsonValue rule = Rule(question);
        string text = Text(question["url"]);
        if (!SystemUri.IsWellFormed(text, Kind(rule["form"])))
        {
            throw new UriFormatException("IsWellFormedUriString returns False");
        }
        if (!rule["fragment"] && text.Contains("#"))
        {
            throw new UriFormatException("it has a fragment");
        }
        if (rule.ContainsKey("scheme") && SystemUri.Scheme(text) != (string)rule["scheme"])
        {
            throw new UriFormatException("the scheme is " + SystemUri.Scheme(text));
        }
        return Ok();
    }

    /// <summary>The components under the names of the RFC.</summary>
    private JsonObject Parse(JsonValue question)
    {
        Rule(question);
        IDictionary<string, string> parts = SystemUri.Parse(Text(question["url"]));
        parts["url-path"] = parts["path"].StartsWith("/") ? parts["path"].Substring(1) : null;
        JsonValue names = rfcs["components"][(string)question["spec"]];
        var components = new JsonObject();
        string scheme = names.ContainsKey(parts["scheme"]) ? parts["scheme"] : "";
        foreach (KeyValuePair<string, JsonValue> own in names[scheme])
        {
            if (parts.TryGetValue(own.Value, out string part))
            {
                components[own.Key] = part == null ? null : (JsonValue)part; // JsonValue cannot be null
            }
        }
        return Ok("components", components);
    }

    /// <summary>The text of components that have the names of RFC 3986.</summary>
    private static JsonObject Recompose(JsonValue question)
    {
        string spec = question["spec"];
        if (spec == "rfc1738" || spec == "rfc1808")
        {
            throw new UnsupportedException("the library has the components of RFC 3986");
        }
        return Url(
            SystemUri.Recompose(
                ((JsonObject)question["components"])
                    .Where(component => component.Value != null)
                    .ToDictionary(component => component.Key, component => Text(component.Value))));
    }

    /// <summary>The form that the rule of a question requires. The rule must be one for whole URLs.</summary>
    private JsonValue Rule(JsonValue question)
    {
        string spec = question["spec"];
        JsonValue rules = rfcs["rules"][spec];
        string rule = question.ContainsKey("rule") ? question["rule"] : rfcs["default"][spec];
        if (!rules.ContainsKey(rule))
        {
            throw new UnsupportedException("the library knows whole URLs only");
        }
        return rules[rule];
    }

    private static UriKind Kind(string form)
    {
        switch (form)
        {
            case "absolute":
                return UriKind.Absolute;
            case "relative":
                return UriKind.Relative;
            default:
                return UriKind.RelativeOrAbsolute;
        }
    }

    private static string Text(JsonValue value)
    {
        if (value.JsonType == JsonType.Object)
        {
            throw new UnsupportedException("the library takes Unicode text only");
        }
        return value;
    }

    private static JsonObject Url(string text)
    {
        return Ok("url", text);
    }

    private static JsonObject Ok(string field, JsonValue value)
    {
        return new JsonObject { ["status"] = "ok", [field] = value };
    }

    private static JsonObject Ok()
    {
        return new JsonObject { ["status"] = "ok" };
    }

    private static JsonObject Failure(string status, string message)
    {
        return new JsonObject { ["status"] = status, ["message"] = message };
    }

    private static JsonArray Texts(IEnumerable<string> texts)
    {
        return new JsonArray(texts.Select(text => (JsonValue)text));
    }
}

/// <summary>The library cannot answer a question.</summary>
internal sealed class UnsupportedException : Exception
{
    public UnsupportedException(string message)
        : base(message)
    {
    }
}
