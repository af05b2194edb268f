// Command adapter is the urlconform adapter for Go libraries: adapter LIBRARY RFCS.
//
// RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
// Every answer comes from the library: the adapter only translates names, and does not correct any answer. A
// panic of a library ends the program. The stack trace contains the path of the package.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"runtime"
	"strings"
	"unicode/utf8"
)

type object = map[string]any

// rfcs is the content of the file RFCS. The keys of each map are RFCs.
type rfcs struct {
	Default    map[string]string
	Rules      map[string]map[string]rule
	Components map[string]map[string]map[string]string
}

// rule is the form that a grammar rule requires of a whole URL.
type rule struct {
	Form     string // "absolute", "relative" or "reference"
	Fragment bool
	Scheme   string
}

// question is a message of the harness. A component is nil if it is absent.
type question struct {
	Type, Op, Spec, Rule, Mode string
	ID                         json.RawMessage
	URL, Base, Reference       text
	Components                 map[string]*text
}

// text is a text of a question. If it is not Unicode, the question contains an object with the hex digits.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		return json.Unmarshal(data, (*string)(t))
	}
	var digits struct{ Hex string }
	if err := json.Unmarshal(data, &digits); err != nil {
		return err
	}
	decoded, err := hex.DecodeString(digits.Hex)
	*t = text(decoded)
	return err
}

// begin is the beginning of a text that is not a relative reference under any RFC.
var begin = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// unsupported is the reason why the library has no answer to a question.
type unsupported string

func (reason unsupported) Error() string { return string(reason) }

const noOperation = unsupported("the library has no such operation")

// adapter answers the questions of the protocol with one library.
type adapter struct {
	name string
	library
	rfcs
}

func (a *adapter) hello() object {
	offered := []string{}
	for _, operation := range []struct {
		name    string
		offered bool
	}{
		{"validate", a.library.parse != nil},
		{"parse", a.library.parse != nil},
		{"resolve", a.library.resolve != nil},
		{"normalize", a.library.normalize != nil},
		{"recompose", a.library.recompose != nil},
	} {
		if operation.offered {
			offered = append(offered, operation.name)
		}
	}
	features := []string{}
	if a.library.parse != nil {
		features = append(features, "validate-by-parse")
	}
	if a.empty {
		features = append(features, "absent-vs-empty")
	}
	return object{
		"type":     "hello",
		"protocol": 1,
		"implementation": object{
			"name":     a.name,
			"version":  a.version(),
			"language": "go",
			"runtime":  runtime.Version(),
			"homepage": "https://pkg.go.dev/" + a.path,
		},
		"ops":      offered,
		"specs":    append([]string{}, a.specs...),
		"features": features,
		"modes":    append([]string{}, a.modes...),
		"window":   64,
	}
}

// reply returns the reply to a question, without its id. Every error of a library is a refusal.
func (a *adapter) reply(q question) object {
	reply, err := a.answer(q)
	var reason unsupported
	switch {
	case errors.As(err, &reason):
		return object{"status": "unsupported", "message": reason}
	case err != nil:
		return object{"status": "reject", "message": strings.ToValidUTF8(err.Error(), "\uFFFD")}
	}
	reply["status"] = "ok"
	return reply
}

func (a *adapter) answer(q question) (object, error) {
	switch {
	case q.Op == "validate" && a.library.parse != nil:
		reply := object{}
		if _, err := a.library.parse(string(q.URL)); err == errRelative {
			reply["message"] = "only with a base"
		}
		return reply, a.validate(q)
	case q.Op == "parse" && a.library.parse != nil:
		return a.parse(q)
	case q.Op == "resolve" && a.library.resolve != nil:
		return found(a.library.resolve(string(q.Base), string(q.Reference)))
	case q.Op == "normalize" && a.library.normalize != nil:
		return found(a.library.normalize(string(q.URL), q.Mode == "scheme"))
	case q.Op == "recompose" && a.library.recompose != nil:
		return a.recompose(q)
	}
	return nil, noOperation
}

// validate accepts a text if the library accepts it, and if it has the form that the rule requires.
func (a *adapter) validate(q question) error {
	rule, err := a.rule(q)
	if err != nil {
		return err
	}
	parts, err := a.library.parse(string(q.URL))
	if err != nil && err != errRelative {
		return err
	}
	if rule.Form == "relative" && !a.references {
		return unsupported("the library has no relative references")
	}
	scheme := parts["scheme"]
	switch {
	case rule.Form == "absolute" && !a.references && !begin.MatchString(string(q.URL)):
		return unsupported("the library assumes a scheme, and does not say that there is none")
	case rule.Form == "absolute" && scheme == nil:
		return errors.New("it has no scheme")
	case rule.Form == "relative" && scheme != nil:
		return errors.New("it has a scheme")
	case !rule.Fragment && strings.Contains(string(q.URL), "#"):
		return errors.New("it has a fragment")
	case rule.Scheme != "" && strings.ToLower(value(scheme)) != rule.Scheme:
		return fmt.Errorf("the scheme is %s", value(scheme))
	}
	return nil
}

// parse returns the components under the names of the RFC.
func (a *adapter) parse(q question) (object, error) {
	if _, err := a.rule(q); err != nil {
		return nil, err
	}
	parts, err := a.library.parse(string(q.URL))
	if err != nil {
		return nil, err
	}
	if path := parts["path"]; path != nil && strings.HasPrefix(*path, "/") {
		parts["url-path"] = some((*path)[1:])
	} else if path != nil {
		parts["url-path"] = nil
	}
	names, ok := a.Components[q.Spec][strings.ToLower(value(parts["scheme"]))]
	if !ok {
		names = a.Components[q.Spec][""]
	}
	shown := object{}
	for name, part := range names {
		if text, ok := parts[part]; ok && text == nil {
			shown[name] = nil
		} else if ok {
			shown[name] = asReply(*text)
		}
	}
	return object{"components": shown}, nil
}

// recompose returns the text of components that have the names of RFC 3986.
func (a *adapter) recompose(q question) (object, error) {
	if q.Spec == "rfc1738" || q.Spec == "rfc1808" {
		return nil, unsupported("the library has the components of RFC 3986")
	}
	given := parts{}
	for name, component := range q.Components {
		if component != nil {
			given[name] = some(string(*component))
		}
	}
	return found(a.library.recompose(given))
}

// rule returns the form that the rule of a question requires, if it is a rule for whole URLs.
func (a *adapter) rule(q question) (rule, error) {
	name := q.Rule
	if name == "" {
		name = a.Default[q.Spec]
	}
	rule, ok := a.Rules[q.Spec][name]
	if !ok {
		return rule, unsupported("the library knows whole URLs only")
	}
	hasHost := begin.MatchString(string(q.URL)) || strings.HasPrefix(string(q.URL), "//")
	if !a.references && !hasHost {
		// The library takes it for a URL with a default scheme. If it refuses that, it refuses the text.
		if _, err := a.library.parse(string(q.URL)); err != nil {
			return rule, err
		}
		return rule, unsupported("the library has no relative references")
	}
	return rule, nil
}

func found(url string, err error) (object, error) {
	return object{"url": asReply(url)}, err
}

// asReply returns a text for a reply, or an object with the hex digits if the text is not Unicode.
func asReply(text string) any {
	if utf8.ValidString(text) {
		return text
	}
	return object{"hex": hex.EncodeToString([]byte(text))}
}

func (a *adapter) serve(input io.Reader, output io.Writer) error {
	lines, replies := bufio.NewReader(input), json.NewEncoder(output) // it writes each reply at once
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if !utf8.Valid(line) { // the package json would silently replace the invalid bytes
			return errors.New("the input is not UTF-8")
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		switch q.Type {
		case "hello":
			err = replies.Encode(a.hello())
		case "run":
			reply := a.reply(q)
			reply["id"] = q.ID
			err = replies.Encode(reply)
		case "bye":
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: adapter LIBRARY RFCS")
	}
	a := adapter{name: os.Args[1]}
	var ok bool
	if a.library, ok = libraries[a.name]; !ok {
		log.Fatal("no library ", a.name)
	}
	data, err := os.ReadFile(os.Args[2])
	if err == nil {
		err = json.Unmarshal(data, &a.rfcs)
	}
	if err == nil {
		err = a.serve(os.Stdin, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}
