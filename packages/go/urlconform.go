package urlconform

import "errors"

// An Implementation is a library to test. It implements the interface of each
// operation that the library has.
type Implementation interface {
	// Name returns the name of the library, which is written to new files of
	// known failures.
	Name() string
}

// A Question is what a library is asked. Only the fields of the operation are
// set. Texts that are not well-formed UTF-8 are asked, too.
type Question struct {
	// Spec is the RFC by which the answer is judged, such as "rfc3986".
	Spec string

	// Rule is the grammar rule of the text, such as "URI-reference". For the
	// operations other than validate and parse it may be empty.
	Rule string

	// Profile is "generic", "scheme-specific" or "prose".
	Profile string

	// Mode says how far to normalize: "syntax", "scheme" or "simple".
	Mode string

	URL        string     // all operations but resolve, recompose, extract and base
	Other      string     // equivalent: the URL to compare with
	Base       string     // resolve
	Reference  string     // resolve
	Components Components // recompose
	Text       string     // extract

	// The sources of a base. A nil one is absent. If Header is given, it is the
	// only one.
	Embedded, Encapsulating, Retrieval, Default, Header *string
}

// Components are the parts of a URL by the names that the RFC has for them. A
// part is nil if it is absent from the URL, and a string otherwise. The part
// fieldspecs of RFC 1738 is a [][2]string. Parts that a library does not expose
// are not in the map.
type Components map[string]any

// Decoded are the decoded parts of a URL of RFC 1738 by name: strings, booleans,
// lists of strings, or lists of pairs of strings. A part is nil if it is absent.
// Parts that a library does not expose are not in the map.
type Decoded map[string]any

var (
	// ErrUnsupported is returned for a question that a library cannot be asked,
	// for example because it has no function for the rule or mode.
	ErrUnsupported = errors.New("urlconform: not supported")

	// ErrSameDocument is returned by Resolve if the library says that the
	// reference leads to the document that contains it.
	ErrSameDocument = errors.New("urlconform: a reference to the same document")
)

// The interfaces below are the operations. Any error but those above says that
// the library rejects the text as invalid. A panic is a failure of its own, the
// outcome "error".
type (
	// A Validator returns nil if the rule of the question derives the URL.
	Validator interface {
		Validate(q Question) error
	}

	// A Parser splits a URL into its components.
	Parser interface {
		Parse(q Question) (Components, error)
	}

	// A Resolver returns the target of a reference.
	Resolver interface {
		Resolve(q Question) (string, error)
	}

	// A Recomposer returns the text of components.
	Recomposer interface {
		Recompose(q Question) (string, error)
	}

	// A Normalizer returns the normal form of a URL.
	Normalizer interface {
		Normalize(q Question) (string, error)
	}

	// A Comparer reports whether two URLs are equivalent.
	Comparer interface {
		Equivalent(q Question) (bool, error)
	}

	// An Extractor returns the URLs in running text, in their order.
	Extractor interface {
		Extract(q Question) ([]string, error)
	}

	// A Decoder returns what the parts of a URL of RFC 1738 mean.
	Decoder interface {
		Decode(q Question) (Decoded, error)
	}

	// A BaseFinder returns the base that applies, and false if there is none.
	BaseFinder interface {
		FindBase(q Question) (base string, ok bool, err error)
	}

	// A URIMapper returns the URI of an IRI.
	URIMapper interface {
		ToURI(q Question) (string, error)
	}

	// An IRIMapper returns the IRI of a URI.
	IRIMapper interface {
		ToIRI(q Question) (string, error)
	}
)
