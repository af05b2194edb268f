//go:build full

package main

import (
	"github.com/PuerkitoBio/purell"
	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/valyala/fasthttp"
)

func init() {
	libraries["nlnwa-whatwg-url"] = library{parse: parseWhatwg, resolve: resolveWhatwg}
	libraries["purell"] = library{normalize: func(url string) (string, error) {
		return purell.NormalizeURLString(url, purell.FlagsSafe|purell.FlagRemoveDotSegments)
	}}
	libraries["fasthttp"] = library{parse: parseFasthttp, resolve: resolveFasthttp}
}

func parseWhatwg(text string) (accessors, error) {
	u, err := whatwg.Parse(text)
	if err != nil {
		return nil, err
	}
	return accessors{
		"Href":     u.Href(false),
		"Protocol": u.Protocol(),
		"Scheme":   u.Scheme(),
		"Username": u.Username(),
		"Password": u.Password(),
		"Host":     u.Host(),
		"Hostname": u.Hostname(),
		"Port":     u.Port(),
		"Pathname": u.Pathname(),
		"Search":   u.Search(),
		"Hash":     u.Hash(),
	}, nil
}

func resolveWhatwg(base, reference string) (string, error) {
	u, err := whatwg.ParseRef(base, reference)
	if err != nil {
		return "", err
	}
	return u.Href(false), nil
}

func parseFasthttp(text string) (accessors, error) {
	var u fasthttp.URI
	if err := u.Parse(nil, []byte(text)); err != nil {
		return nil, err
	}
	return accessors{
		"Scheme":       string(u.Scheme()),
		"Username":     string(u.Username()),
		"Password":     string(u.Password()),
		"Host":         string(u.Host()),
		"Path":         string(u.Path()),
		"PathOriginal": string(u.PathOriginal()),
		"QueryString":  string(u.QueryString()),
		"Hash":         string(u.Hash()),
	}, nil
}

func resolveFasthttp(base, reference string) (string, error) {
	var u fasthttp.URI
	if err := u.Parse(nil, []byte(base)); err != nil {
		return "", err
	}
	u.Update(reference)
	return u.String(), nil
}
