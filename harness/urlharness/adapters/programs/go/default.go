//go:build !full

package main

import (
	"net/url"
	"os"
	"strings"
)

// libraries are those of the standard library.
var libraries = map[string]library{
	"go-net-url": {
		path:       "net/url",
		specs:      []string{"rfc3986"},
		empty:      true,
		references: true,
		parse:      netURLParse,
		resolve:    netURLResolve,
		recompose:  netURLString,
	},
}

// go.mod allows old versions of Go, so a new version would parse in the same way as the old ones. Most users
// of the new version do not get this behaviour.
func init() {
	if err := os.Setenv("GODEBUG", "urlstrictcolons=1"); err != nil {
		panic(err)
	}
}

func netURLParse(text string) (parts, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	port := u.Port()
	withPort := strings.HasSuffix(u.Host, ":"+port) && !strings.HasSuffix(u.Host, "]")
	host := u.Host
	if withPort {
		host = strings.TrimSuffix(host, ":"+port) // Hostname would also remove the brackets
	}
	// an empty host is present if String writes "//"
	hasHost := u.Host != "" || u.User != nil || u.Scheme != "" && u.Path != "" && u.Opaque == "" && !u.OmitHost
	return parts{
		"scheme":   nonEmpty(u.Scheme),
		"userinfo": someIf(u.User != nil, u.User.String()),
		"host":     someIf(hasHost, host),
		"port":     someIf(withPort, port),
		"path":     some(u.Opaque + u.EscapedPath()), // one of the two is empty
		"query":    someIf(u.ForceQuery || u.RawQuery != "", u.RawQuery),
		"fragment": nonEmpty(u.EscapedFragment()),
	}, nil
}

func netURLResolve(base, reference string) (string, error) {
	u, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	target, err := u.Parse(reference)
	if err != nil {
		return "", err
	}
	return target.String(), nil
}

// netURLString returns the text of components. It decodes the fields that the package keeps decoded.
func netURLString(given parts) (string, error) {
	u := url.URL{
		Scheme:      value(given["scheme"]),
		OmitHost:    given["authority"] == nil,
		RawQuery:    value(given["query"]),
		ForceQuery:  given["query"] != nil,
		RawFragment: value(given["fragment"]),
	}
	if path := value(given["path"]); u.Scheme != "" && u.OmitHost && !strings.HasPrefix(path, "/") {
		u.Opaque = path
	} else {
		u.RawPath = path
	}
	var err error
	host := strings.TrimPrefix(value(given["authority"]), value(given["userinfo"])+"@")
	if u.Host, err = hostOf(u.Scheme, host); err != nil {
		return "", err
	}
	if userinfo := given["userinfo"]; userinfo != nil {
		if u.User, err = userOf(*userinfo); err != nil {
			return "", err
		}
	}
	if u.Path, err = url.PathUnescape(u.RawPath); err != nil {
		return "", err
	}
	if u.Fragment, err = url.PathUnescape(u.RawFragment); err != nil {
		return "", err
	}
	return u.String(), nil
}

// hostOf returns the field Host as the parser of the package sets it: decoded, with the port.
func hostOf(scheme, host string) (string, error) {
	if !strings.Contains(host, "%") {
		return host, nil
	}
	text := "//" + host
	if scheme != "" {
		text = scheme + ":" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", unsupported("the parser refuses this host, so no value of the field stands for it")
	}
	return u.Host, nil
}

func userOf(userinfo string) (*url.Userinfo, error) {
	name, password, hasPassword := strings.Cut(userinfo, ":")
	name, err := url.PathUnescape(name)
	if err != nil || !hasPassword {
		return url.User(name), err
	}
	password, err = url.PathUnescape(password)
	return url.UserPassword(name, password), err
}
