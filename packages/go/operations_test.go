package urlconform

import (
	"errors"
	"testing"
)

// everything offers every operation, and answers with its fields.
type everything struct {
	named
	err error
}

func (e everything) Validate(Question) error { return e.err }
func (e everything) Parse(Question) (Components, error) {
	return Components{"path": "p", "query": nil}, e.err
}
func (e everything) Resolve(Question) (string, error)        { return "resolved", e.err }
func (e everything) Recompose(Question) (string, error)      { return "\xff", e.err }
func (e everything) Normalize(Question) (string, error)      { return "normal", e.err }
func (e everything) Equivalent(Question) (bool, error)       { return true, e.err }
func (e everything) Extract(Question) ([]string, error)      { return []string{"a:b", "a:c"}, e.err }
func (e everything) Decode(Question) (Decoded, error)        { return Decoded{"cwd": []string{"d"}}, e.err }
func (e everything) FindBase(Question) (string, bool, error) { return "base", true, e.err }
func (e everything) ToURI(Question) (string, error)          { return "uri", e.err }
func (e everything) ToIRI(Question) (string, error)          { return "iri", e.err }

func TestAnswers(t *testing.T) {
	for op, want := range map[string]string{
		"validate":   `{"status": "ok"}`,
		"parse":      `{"components": {"path": "p", "query": null}, "status": "ok"}`,
		"resolve":    `{"status": "ok", "url": "resolved"}`,
		"recompose":  `{"status": "ok", "url": {"hex": "ff"}}`,
		"normalize":  `{"status": "ok", "url": "normal"}`,
		"equivalent": `{"equal": true, "status": "ok"}`,
		"extract":    `{"status": "ok", "urls": [["a:b"], ["a:c"]]}`,
		"decode":     `{"decoded": {"cwd": ["d"]}, "status": "ok"}`,
		"base":       `{"base": "base", "status": "ok"}`,
		"to_uri":     `{"status": "ok", "url": "uri"}`,
		"to_iri":     `{"status": "ok", "url": "iri"}`,
	} {
		t.Run(op, func(t *testing.T) {
			a := ask(everything{}, &testCase{Op: op})
			if got := string(appendJSON(nil, a.got())); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestErrorsOfLibraries(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		want status
	}{
		{"any error", errors.New("bad"), statusReject},
		{"unsupported", ErrUnsupported, statusUnsupported},
		{"wrapped", errors.Join(errors.New("no such mode"), ErrUnsupported), statusUnsupported},
		{"same document", ErrSameDocument, statusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := ask(everything{err: test.err}, &testCase{Op: "resolve"}).status; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestUnknownOperationIsUnsupported(t *testing.T) {
	if got := ask(everything{}, &testCase{Op: "guess"}).status; got != statusUnsupported {
		t.Errorf("got %q", got)
	}
}

func TestQuestionsHaveTheirInputs(t *testing.T) {
	cases := allCases(t)
	for _, c := range cases {
		if _, known := operations[c.Op]; !known {
			t.Fatalf("%s: the operation %s is unknown", c.ID, c.Op)
		}
	}
	q := cases["rfc3986-5.4.1-ex-02"].question()
	if q.Base != "http://a/b/c/d;p?q" || q.Reference != "g" || q.Spec != "rfc3986" {
		t.Errorf("got %+v", q)
	}
}
