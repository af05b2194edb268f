package main

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// library contains the functions of a library. A function is nil if the library lacks it.
type library struct {
	path       string   // the path of the package
	specs      []string // the RFCs that the documentation of the library claims
	empty      bool     // true if the library distinguishes empty and absent components
	references bool     // true if the library accepts relative references
	parse      func(text string) (parts, error)
	resolve    func(base, reference string) (string, error)
	modes      []string // the modes in which the library normalizes
	normalize  func(text string, byScheme bool) (string, error)
	recompose  func(given parts) (string, error)
}

// parts are components as a library shows them, by the names of RFC 3986. Nil means absent.
type parts map[string]*string

// errRelative means that the library accepts the text only with a base, and does not show its components.
var errRelative error = unsupported("the library has no components of a relative reference")

// version returns the version of the module of the library, or the version of Go for its standard library.
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

// someIf returns the text if the component is present, otherwise nil.
func someIf(present bool, text string) *string {
	if !present {
		return nil
	}
	return &text
}

// nonEmpty returns nil for an empty text, for libraries that show an absent component as an empty one.
func nonEmpty(text string) *string { return someIf(text != "", text) }

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
