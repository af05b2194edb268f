// Print the properties of System.Uri, one question and one answer a line.
// https://learn.microsoft.com/en-us/dotnet/api/system.uri

using System;
using System.Json;
using System.Text;

static class Direct
{
    const UriComponents UserInfoHostPort = UriComponents.UserInfo | UriComponents.Host | UriComponents.Port;

    static JsonObject Accessors(Uri uri)
    {
        return new JsonObject
        {
            { "Scheme", uri.Scheme },
            { "Authority", uri.Authority },
            { "UserInfo", uri.UserInfo },
            { "Host", uri.Host },
            { "Port", uri.Port },
            { "UriComponents.Port", uri.GetComponents(UriComponents.Port, UriFormat.UriEscaped) },
            { "UriComponents.UserInfo, Host, Port", uri.GetComponents(UserInfoHostPort, UriFormat.UriEscaped) },
            { "AbsolutePath", uri.AbsolutePath },
            { "Query", uri.Query },
            { "Fragment", uri.Fragment },
        };
    }

    static JsonObject Shown(JsonValue question)
    {
        switch ((string)question["op"])
        {
            case "parse":
                return new JsonObject { { "accessors", Accessors(new Uri(question["url"])) } };
            case "resolve":
                Uri absolute = new Uri(new Uri(question["base"]), (string)question["reference"]);
                return new JsonObject { { "url", absolute.AbsoluteUri } };
            case "normalize":
                return new JsonObject { { "url", new Uri(question["url"]).AbsoluteUri } };
            default:
                return new JsonObject { { "offered", false } };
        }
    }

    static JsonObject Answer(JsonValue question)
    {
        try
        {
            return Shown(question);
        }
        catch (UriFormatException refusal)
        {
            return new JsonObject { { "refused", refusal.Message } };
        }
        catch (Exception failure)
        {
            return new JsonObject { { "failed", failure.GetType() + ": " + failure.Message } };
        }
    }

    static void Main()
    {
        Console.InputEncoding = new UTF8Encoding(false);
        Console.OutputEncoding = new UTF8Encoding(false);
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
            Console.WriteLine(Answer(JsonValue.Parse(line)).ToString());
    }
}
