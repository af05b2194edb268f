//go:build full

package main

import (
	"github.com/PuerkitoBio/purell"
	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/valyala/fasthttp"
)

// libraries are those that are only in the set `full`.
var libraries = map[string]library{
	"nlnwa-whatwg-url": {
		path:       "github.com/nlnwa/whatwg-url/url",
		references: true,
		parse:      whatwgParse,
		resolve:    whatwgResolve,
	},
	"purell": {
		path:      "github.com/PuerkitoBio/purell",
		specs:     []string{"rfc3986"},
		modes:     []string{"syntax", "scheme"},
		normalize: purellNormalize,
	},
	"fasthttp": {
		path:    "github.com/valyala/fasthttp",
		parse:   fasthttpParse,
		resolve: fasthttpResolve,
	},
}

// base is for checking references, because the URL Standard has no relative form.
const base = "http://a/b/c/d;p?q"

func whatwgParse(text string) (parts, error) {
	u, err := whatwg.Parse(text)
	if err != nil {
		if begin.MatchString(text) {
			return nil, err
		}
		if _, errOfReference := whatwg.ParseRef(base, text); errOfReference == nil {
			return nil, errRelative
		}
		return nil, err
	}
	return parts{
		"scheme":   some(u.Scheme()),
		"userinfo": userinfo(u.Username(), u.Password()),
		"user":     nonEmpty(u.Username()),
		"password": nonEmpty(u.Password()),
		"host":     some(u.Hostname()),
		"port":     nonEmpty(u.Port()),
		"path":     some(u.Pathname()),
		"query":    nonEmpty(u.Query()),
		"fragment": nonEmpty(u.Fragment()),
	}, nil
}

func whatwgResolve(base, reference string) (string, error) {
	u, err := whatwg.ParseRef(base, reference)
	if err != nil {
		return "", err
	}
	return u.Href(false), nil
}

// bySchemeOnly are the safe normalizations of the package that belong to section 6.2.3 of RFC 3986.
const bySchemeOnly = purell.FlagRemoveDefaultPort | purell.FlagRemoveEmptyQuerySeparator

// purellNormalize uses the normalizations that the package calls safe, and removes dot segments.
func purellNormalize(text string, byScheme bool) (string, error) {
	flags := purell.FlagsSafe | purell.FlagRemoveDotSegments
	if !byScheme {
		flags &^= bySchemeOnly
	}
	return purell.NormalizeURLString(text, flags)
}

// fasthttpParse parses a URL with a host: "http is assumed if scheme is omitted", says the package of Parse.
func fasthttpParse(text string) (parts, error) {
	var u fasthttp.URI
	if err := u.Parse(nil, []byte(text)); err != nil {
		return nil, err
	}
	user, password := string(u.Username()), string(u.Password())
	return parts{
		"scheme":   some(string(u.Scheme())),
		"userinfo": userinfo(user, password),
		"user":     nonEmpty(user),
		"password": nonEmpty(password),
		"host":     some(string(u.Host())), // with the port
		"path":     some(string(u.PathOriginal())),
		"query":    nonEmpty(string(u.QueryString())),
		"fragment": nonEmpty(string(u.Hash())),
	}, nil
}

func fasthttpResolve(base, reference string) (string, error) {
	var u fasthttp.URI
	if err := u.Parse(nil, []byte(base)); err != nil {
		return "", err
	}
	u.Update(reference)
	return u.String(), nil
}

// userinfo joins user and password as libraries write them.
func userinfo(user, password string) *string {
	if password == "" {
		return nonEmpty(user)
	}
	return some(user + ":" + password)
}
