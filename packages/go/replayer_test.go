package urlconform

import "errors"

// A replayer is a library that gives one recorded answer, whatever it is asked.
type replayer struct {
	named
	answer answer
}

// canGive reports whether a library can give a recorded answer by the
// interfaces: it has no outcome of a process, such as a timeout, no second
// reading of a URL, and no URL of a reference to the same document.
func (r replayer) canGive() bool {
	switch r.answer.status {
	case statusOK, statusReject, statusUnsupported, statusError:
	default:
		return false
	}
	urls, _ := r.answer.content["urls"].([]any)
	for _, readings := range urls {
		if len(readings.([]any)) != 1 {
			return false
		}
	}
	return r.answer.content["same_document"] == nil
}

func (r replayer) err() error {
	switch r.answer.status {
	case statusReject:
		return errors.New("rejected")
	case statusUnsupported:
		return ErrUnsupported
	case statusError:
		panic("a failure")
	}
	return nil
}

// text returns a recorded text as a library returns it.
func (r replayer) text(field string) string {
	text, _ := textBytes(r.answer.content[field])
	return text
}

// parts returns recorded components or decoded parts as a library returns them.
func (r replayer) parts(field string) map[string]any {
	recorded, _ := r.answer.content[field].(map[string]any)
	parts := make(map[string]any, len(recorded))
	for name, part := range recorded {
		parts[name] = ofLibrary(part)
	}
	return parts
}

// ofLibrary returns a value of JSON with a string for octets.
func ofLibrary(v any) any {
	switch v := v.(type) {
	case octets:
		return string(v)
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = ofLibrary(element)
		}
		return list
	}
	return v
}

func (r replayer) Validate(Question) error            { return r.err() }
func (r replayer) Parse(Question) (Components, error) { return r.parts("components"), r.err() }
func (r replayer) Resolve(Question) (string, error)   { return r.text("url"), r.err() }
func (r replayer) Recompose(Question) (string, error) { return r.text("url"), r.err() }
func (r replayer) Normalize(Question) (string, error) { return r.text("url"), r.err() }
func (r replayer) Decode(Question) (Decoded, error)   { return r.parts("decoded"), r.err() }
func (r replayer) ToURI(Question) (string, error)     { return r.text("url"), r.err() }
func (r replayer) ToIRI(Question) (string, error)     { return r.text("url"), r.err() }

func (r replayer) Equivalent(Question) (bool, error) {
	return r.answer.content["equal"] == true, r.err()
}

func (r replayer) Extract(Question) ([]string, error) {
	recorded, _ := r.answer.content["urls"].([]any)
	urls := make([]string, len(recorded))
	for i, readings := range recorded {
		urls[i], _ = textBytes(readings.([]any)[0])
	}
	return urls, r.err()
}

func (r replayer) FindBase(Question) (string, bool, error) {
	return r.text("base"), r.answer.content["base"] != nil, r.err()
}
