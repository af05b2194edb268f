// Direct prints the accessors of a Go library: `direct LIBRARY`, one question and one answer a line.
//
// Each library is called as its documentation does it; direct.toml names the page.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// accessors has the values of accessors by their names in the documentation.
type accessors map[string]any

// errNotOffered says that the library has no function for an operation.
var errNotOffered = errors.New("not offered")

// library has a function for each operation, or nil.
type library struct {
	parse     func(url string) (accessors, error)
	resolve   func(base, reference string) (string, error)
	normalize func(url string) (string, error)
}

var libraries = map[string]library{}

type question struct {
	Op, URL, Base, Reference string
}

// ask returns what the library answers to a question, or an error.
func (l library) ask(q question) (map[string]any, error) {
	switch {
	case q.Op == "parse" && l.parse != nil:
		shown, err := l.parse(q.URL)
		return map[string]any{"accessors": shown}, err
	case q.Op == "resolve" && l.resolve != nil:
		url, err := l.resolve(q.Base, q.Reference)
		return map[string]any{"url": url}, err
	case q.Op == "normalize" && l.normalize != nil:
		url, err := l.normalize(q.URL)
		return map[string]any{"url": url}, err
	}
	return nil, errNotOffered
}

// answer returns the line to print. A panic is a failure, not a refusal.
func (l library) answer(q question) (line map[string]any) {
	defer func() {
		if panicked := recover(); panicked != nil {
			line = map[string]any{"failed": fmt.Sprint(panicked)}
		}
	}()
	line, err := l.ask(q)
	switch {
	case errors.Is(err, errNotOffered):
		return map[string]any{"offered": false}
	case err != nil:
		return map[string]any{"refused": err.Error()}
	}
	return line
}

func main() {
	chosen, known := libraries[os.Args[1]]
	if !known {
		panic("unknown library " + os.Args[1])
	}
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		var q question
		if err := json.Unmarshal(input.Bytes(), &q); err != nil {
			panic(err)
		}
		if err := output.Encode(chosen.answer(q)); err != nil {
			panic(err)
		}
	}
}
