using System;
using System.Collections.Generic;
using System.Reflection;

/// <summary>System.Uri and UriBuilder. The methods throw UriFormatException for a text that they refuse.</summary>
internal static class SystemUri
{
    public const string Homepage = "https://learn.microsoft.com/dotnet/api/system.uri";

    /// <summary>The RFCs that the documentation of IsWellFormedUriString names.</summary>
    public static readonly string[] Specs = { "rfc2396", "rfc2732", "rfc3986", "rfc3987" };

    /// <summary>The version of Mono, without the version of the Debian package.</summary>
    public static string Version()
    {
        MethodInfo display = Type.GetType("Mono.Runtime", true)
            .GetMethod("GetDisplayName", BindingFlags.NonPublic | BindingFlags.Static);
        return ((string)display.Invoke(null, null)).Split(' ')[0];
    }

    public static bool IsWellFormed(string text, UriKind kind)
    {
        return Uri.IsWellFormedUriString(text, kind);
    }

    /// <summary>The scheme, or null for a relative reference.</summary>
    public static string Scheme(string text)
    {
        Uri uri = Reference(text);
        return uri.IsAbsoluteUri ? uri.Scheme : null;
    }

    /// <summary>The components of an absolute URI. Null means absent.</summary>
    public static IDictionary<string, string> Parse(string text)
    {
        Uri uri = Absolute(text);
        // an empty authority is present if "//" follows the scheme
        bool hasAuthority = uri.Host != "" || uri.GetLeftPart(UriPartial.Scheme).EndsWith("//");
        return new Dictionary<string, string>
        {
            ["scheme"] = uri.Scheme,
            ["authority"] = hasAuthority
                ? Escaped(uri, UriComponents.UserInfo | UriComponents.Host | UriComponents.Port)
                : null, // the property Authority would omit the userinfo
            ["userinfo"] = NonEmpty(uri.UserInfo),
            ["host"] = hasAuthority ? uri.Host : null,
            ["port"] = NonEmpty(Escaped(uri, UriComponents.Port)), // Port would add the default port
            ["path"] = uri.AbsolutePath,
            ["query"] = AfterDelimiter(uri.Query),
            ["fragment"] = AfterDelimiter(uri.Fragment),
        };
    }

    public static string Resolve(string baseUri, string reference)
    {
        return new Uri(new Uri(baseUri), reference).AbsoluteUri;
    }

    /// <summary>The canonical form. The constructor of an absolute URI creates it.</summary>
    public static string Normalize(string text)
    {
        return Absolute(text).AbsoluteUri;
    }

    /// <summary>True if the library calls two URIs equal. It ignores userinfo and fragments.</summary>
    public static bool Equal(string one, string other)
    {
        return Reference(one).Equals(Reference(other));
    }

    /// <summary>The text of components that are not null. UriBuilder treats an absent one as empty.</summary>
    public static string Recompose(IDictionary<string, string> components)
    {
        Func<string, string> given = name => components.TryGetValue(name, out string text) ? text : "";
        string[] credentials = given("userinfo").Split(new[] { ':' }, 2);
        try
        {
            return new UriBuilder
            {
                Scheme = given("scheme"),
                UserName = credentials[0],
                Password = credentials.Length > 1 ? credentials[1] : "",
                Host = given("host"),
                Port = given("port") == "" ? -1 : int.Parse(given("port")),
                Path = given("path"),
                Query = given("query"),
                Fragment = given("fragment"),
            }.ToString();
        }
        catch (Exception e) when (e is ArgumentException || e is OverflowException) // invalid scheme or port
        {
            throw new UriFormatException(e.Message);
        }
    }

    private static Uri Reference(string text)
    {
        return new Uri(text, UriKind.RelativeOrAbsolute);
    }

    /// <summary>
    /// The constructor of an absolute URI. With UriKind.RelativeOrAbsolute, Mono raises NullReferenceException
    /// for some texts that this constructor refuses, such as "http:%41".
    /// </summary>
    private static Uri Absolute(string text)
    {
        try
        {
            return new Uri(text);
        }
        catch (UriFormatException) when (!HasScheme(text))
        {
            throw new UnsupportedException("the library has no components of a relative reference");
        }
    }

    private static bool HasScheme(string text)
    {
        int colon = text.IndexOf(':');
        return colon > 0 && Uri.CheckSchemeName(text.Substring(0, colon));
    }

    private static string Escaped(Uri uri, UriComponents components)
    {
        return uri.GetComponents(components, UriFormat.UriEscaped);
    }

    private static string NonEmpty(string text)
    {
        return text == "" ? null : text;
    }

    /// <summary>A property without its delimiter, or null if the property is empty.</summary>
    private static string AfterDelimiter(string text)
    {
        return text == "" ? null : text.Substring(1);
    }
}
