// Package example tests the package net/url by RFC 3986.
package example

import (
	"net/url"
	"strings"
	"testing"

	urlconform "github.com/OWNER/urlconform/packages/go"
)

func TestURL(t *testing.T) {
	urlconform.Run(t, netURL{},
		urlconform.Specs("rfc3986"),
		urlconform.TellsEmptyFromAbsent(),
		urlconform.KnownFailures("testdata/urlconform.json"),
	)
}

// netURL is the package net/url: the operations that it has.
type netURL struct{}

// Name returns the name that the command urlconform has for the package.
func (netURL) Name() string { return "go-net-url" }

// Validate accepts what the parser accepts. It has one for whole texts only.
func (netURL) Validate(q urlconform.Question) error {
	if q.Rule != "URI-reference" {
		return urlconform.ErrUnsupported
	}
	_, err := url.Parse(q.URL)
	return err
}

func (netURL) Parse(q urlconform.Question) (urlconform.Components, error) {
	if q.Rule != "URI-reference" {
		return nil, urlconform.ErrUnsupported
	}
	u, err := url.Parse(q.URL)
	if err != nil {
		return nil, err
	}
	components := urlconform.Components{
		"scheme":   present(u.Scheme, u.Scheme != ""),
		"userinfo": present(u.User.String(), u.User != nil),
		"path":     u.Opaque + u.EscapedPath(), // one of them is empty
		"query":    present(u.RawQuery, u.RawQuery != "" || u.ForceQuery),
		"fragment": present(u.EscapedFragment(), u.Fragment != ""), // an empty one is not told from none
	}
	// Hostname would remove the brackets of an address, and Port does not tell an
	// empty port from none.
	host, port := u.Host, u.Port()
	hasPort := strings.HasSuffix(host, ":"+port) && !strings.HasSuffix(host, "]")
	if hasPort {
		host = strings.TrimSuffix(host, ":"+port)
	}
	components["host"] = present(host, hasAuthority(u))
	components["port"] = present(port, hasPort)
	return components, nil
}

// hasAuthority reports whether a URL has a host, which may be empty: then String
// writes the two slashes.
func hasAuthority(u *url.URL) bool {
	if u.Host != "" || u.User != nil {
		return true
	}
	return u.Scheme != "" && u.Path != "" && u.Opaque == "" && !u.OmitHost
}

func (netURL) Resolve(q urlconform.Question) (string, error) {
	base, err := url.Parse(q.Base)
	if err != nil {
		return "", err
	}
	target, err := base.Parse(q.Reference)
	if err != nil {
		return "", err
	}
	return target.String(), nil
}

// present returns a component, or nil if it is absent.
func present(component string, isThere bool) any {
	if !isThere {
		return nil
	}
	return component
}
