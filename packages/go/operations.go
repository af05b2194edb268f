package urlconform

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// An operation is what a case asks of a library.
type operation struct {
	// field is the field of an answer that has its content. It is empty if the
	// operation only accepts or rejects.
	field string

	offered func(Implementation) bool

	// ask returns the content of the answer. The library must offer the
	// operation.
	ask func(Implementation, Question) (any, error)
}

var operations = map[string]operation{
	"validate": {"", is[Validator], func(lib Implementation, q Question) (any, error) {
		return nil, lib.(Validator).Validate(q)
	}},
	"parse": {"components", is[Parser], func(lib Implementation, q Question) (any, error) {
		return lib.(Parser).Parse(q)
	}},
	"resolve": {"url", is[Resolver], func(lib Implementation, q Question) (any, error) {
		return lib.(Resolver).Resolve(q)
	}},
	"recompose": {"url", is[Recomposer], func(lib Implementation, q Question) (any, error) {
		return lib.(Recomposer).Recompose(q)
	}},
	"normalize": {"url", is[Normalizer], func(lib Implementation, q Question) (any, error) {
		return lib.(Normalizer).Normalize(q)
	}},
	"equivalent": {"equal", is[Comparer], func(lib Implementation, q Question) (any, error) {
		return lib.(Comparer).Equivalent(q)
	}},
	"extract": {"urls", is[Extractor], func(lib Implementation, q Question) (any, error) {
		urls, err := lib.(Extractor).Extract(q)
		readings := make([]any, len(urls))
		for i, url := range urls {
			readings[i] = []any{url}
		}
		return readings, err
	}},
	"decode": {"decoded", is[Decoder], func(lib Implementation, q Question) (any, error) {
		return lib.(Decoder).Decode(q)
	}},
	"base": {"base", is[BaseFinder], func(lib Implementation, q Question) (any, error) {
		base, ok, err := lib.(BaseFinder).FindBase(q)
		if !ok {
			return nil, err
		}
		return base, err
	}},
	"to_uri": {"url", is[URIMapper], func(lib Implementation, q Question) (any, error) {
		return lib.(URIMapper).ToURI(q)
	}},
	"to_iri": {"url", is[IRIMapper], func(lib Implementation, q Question) (any, error) {
		return lib.(IRIMapper).ToIRI(q)
	}},
}

func is[Interface any](lib Implementation) bool {
	_, ok := lib.(Interface)
	return ok
}

// offersAny reports whether a library offers any operation.
func offersAny(lib Implementation) bool {
	for _, op := range operations {
		if op.offered(lib) {
			return true
		}
	}
	return false
}

// An answer is what a library did when it was asked.
type answer struct {
	status status

	// content has the field of the operation if the status is ok. Its values
	// are those of JSON, except that octets stand for hex.
	content map[string]any

	// message explains a status other than ok to people. It is not judged.
	message string
}

// A status says how a library answered.
type status string

const (
	statusOK          status = "ok"
	statusReject      status = "reject"
	statusUnsupported status = "unsupported"
	statusError       status = "error"
)

// ask asks a library the question of a case.
func ask(lib Implementation, c *testCase) (a answer) {
	op, known := operations[c.Op]
	if !known || !op.offered(lib) {
		return answer{status: statusUnsupported, message: "the library does not offer " + c.Op}
	}
	defer func() {
		if cause := recover(); cause != nil {
			a = answer{status: statusError, message: fmt.Sprintf("panic: %v\n%s", cause, debug.Stack())}
		}
	}()
	content, err := op.ask(lib, c.question())
	switch {
	case errors.Is(err, ErrUnsupported):
		return answer{status: statusUnsupported, message: err.Error()}
	case errors.Is(err, ErrSameDocument):
		return answer{status: statusOK, content: map[string]any{"same_document": true}}
	case err != nil:
		return answer{status: statusReject, message: err.Error()}
	case op.field == "":
		return answer{status: statusOK}
	}
	return answer{status: statusOK, content: map[string]any{op.field: jsonValue(content)}}
}
