//go:build !full

package main

import "net/url"

func init() {
	libraries["go-net-url"] = library{parse: parseNetURL, resolve: resolveNetURL}
}

func parseNetURL(text string) (accessors, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	shown := accessors{
		"Scheme":          u.Scheme,
		"Opaque":          u.Opaque,
		"User":            nil,
		"Host":            u.Host,
		"Hostname":        u.Hostname(),
		"Port":            u.Port(),
		"Path":            u.Path,
		"EscapedPath":     u.EscapedPath(),
		"RawQuery":        u.RawQuery,
		"ForceQuery":      u.ForceQuery,
		"EscapedFragment": u.EscapedFragment(),
	}
	if u.User != nil {
		shown["User"] = u.User.String()
	}
	return shown, nil
}

func resolveNetURL(base, reference string) (string, error) {
	u, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	resolved, err := u.Parse(reference)
	if err != nil {
		return "", err
	}
	return resolved.String(), nil
}
