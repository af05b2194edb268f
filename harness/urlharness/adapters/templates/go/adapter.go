// An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
// A library of IRIs adds "rfc3987" to specs, and to ops "to_uri" and "to_iri", whose answers have a url.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"
	"runtime"
	"strings"
)

type object = map[string]any

var hello = object{
	"type":     "hello",
	"protocol": 1,
	"window":   64,
	"ops":      []string{"validate", "parse", "resolve"},
	// the RFCs that it claims
	"specs": []string{"rfc3986"},
	// and "absent-vs-empty" if it distinguishes http://h from http://h?
	"features": []string{"validate-by-parse"},
	"implementation": object{
		"name":     "net/url",
		"version":  runtime.Version(),
		"language": "go",
	},
}

type question struct {
	Type, Op, Spec, Rule string
	ID                   json.RawMessage
	URL, Base, Reference any // a text, or an object with the digits of bytes
}

func unsupported(why string) object {
	return object{"status": "unsupported", "message": why}
}

func rejected(why string) object {
	return object{"status": "reject", "message": why}
}

// Your library goes here: nil is absent, "" is present but empty; leave out what it does not have.
func answer(q question) object {
	if q.Op == "resolve" {
		return resolve(q)
	}
	text, isText := q.URL.(string)
	knownSpec := q.Spec == "rfc2396" || q.Spec == "rfc2732" || q.Spec == "rfc3986" || q.Spec == "rfc3987"
	rule := strings.Replace(q.Rule, "IRI", "URI", 1) // IRIs have rules of their own
	knownRule := rule == "" || rule == "URI" || rule == "URI-reference"
	if (q.Op != "validate" && q.Op != "parse") || !isText || !knownSpec || !knownRule {
		return unsupported("not this operation, specification, rule or bytes")
	}
	u, err := url.Parse(text)
	if err != nil {
		return rejected(err.Error())
	}
	if rule == "URI" && u.Scheme == "" {
		return rejected("no scheme")
	}
	if q.Op == "validate" {
		return object{"status": "ok"}
	}
	components := object{
		"scheme":   u.Scheme,
		"userinfo": nil,
		"host":     strings.TrimSuffix(u.Host, ":"+u.Port()),
		"port":     u.Port(),
		"path":     u.Opaque + u.EscapedPath(),
		"query":    u.RawQuery,
		"fragment": u.EscapedFragment(),
	}
	if u.User != nil {
		components["userinfo"] = u.User.String()
	}
	return object{"status": "ok", "components": components}
}

func resolve(q question) object {
	base, isText := q.Base.(string)
	reference, isReference := q.Reference.(string)
	if !isText || !isReference {
		return unsupported("bytes that are no text")
	}
	u, err := url.Parse(base)
	if err == nil {
		u, err = u.Parse(reference)
	}
	if err != nil {
		return rejected(err.Error())
	}
	return object{"status": "ok", "url": u.String()}
}

// reply answers a question; a panic fails only this question.
func reply(q question) (found object) {
	defer func() {
		if problem := recover(); problem != nil {
			found = object{"status": "error", "message": fmt.Sprint(problem)}
		}
	}()
	return answer(q)
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var q question
		if in.Decode(&q) != nil || q.Type == "bye" {
			return
		}
		message := hello
		if q.Type == "run" {
			message = reply(q)
			message["id"] = q.ID
		}
		if err := out.Encode(message); err != nil { // it writes the message at once
			log.Fatal(err)
		}
	}
}
