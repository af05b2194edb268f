package main

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// library is what a library offers, as functions of texts; nil for what it lacks.
type library struct {
	path       string   // of the package
	specs      []string // the RFCs that its documentation claims
	empty      bool     // it distinguishes empty components from absent ones
	references bool     // it knows relative references
	parse      func(text string) (parts, error)
	resolve    func(base, reference string) (string, error)
	normalize  func(text string) (string, error)
	recompose  func(given parts) (string, error)
}

// parts are components as a library shows them, by the names of RFC 3986; nil is absent.
type parts map[string]*string

// errRelative means that the library takes the text with a base only, and shows no components of it.
var errRelative error = unsupported("the library has no components of a relative reference")

// version returns the version of the module of the library, or that of Go.
func (l library) version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if strings.HasPrefix(l.path, module.Path) {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return strings.TrimPrefix(runtime.Version(), "go")
}

func some(text string) *string { return &text }

// someIf returns the text if it is present.
func someIf(present bool, text string) *string {
	if !present {
		return nil
	}
	return &text
}

// nonEmpty is for libraries that show an absent component as an empty one.
func nonEmpty(text string) *string { return someIf(text != "", text) }

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
