package urlconform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const knownFailuresSchema = "urlbaseline-2"

// A finding is what a list of known failures says about a case. It is empty if
// there is nothing to say.
type finding string

const (
	newFailure finding = "new"     // it is not listed
	stale      finding = "stale"   // it passes now
	moved      finding = "moved"   // question or admitted answers have changed
	lost       finding = "lost"    // there is no whole answer any more
	changed    finding = "changed" // it fails in another way
)

// knownFailures is a file of known failures. The runner reads and writes its
// entries only; all else in the file belongs to the command urlconform.
type knownFailures struct {
	file    string // "" if there is none
	entries map[string]*knownFailure

	// before and after are the text of the file around the list of entries.
	before, after []byte
}

// A knownFailure is an entry: a case that fails, and in which way.
type knownFailure struct {
	ID      string
	Outcome string
	Got     object
	Digest  string
	Issue   string
	Note    string
}

// readKnownFailures reads a file of known failures. If there is no such file, it
// returns an empty list for a new one.
func readKnownFailures(file, name, corpus string, specs []string) (*knownFailures, error) {
	content := []byte(newFile(name, corpus, specs))
	if file != "" {
		existing, err := os.ReadFile(file)
		if err == nil {
			content = existing
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	known, err := parseKnownFailures(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	known.file = file
	return known, nil
}

// newFile returns the text of a file without entries.
func newFile(name, corpus string, specs []string) string {
	return fmt.Sprintf("{\n \"schema\": %s,\n \"corpus\": %s,\n \"implementation\": %s,\n \"spec\": %s,\n \"entries\": []\n}\n",
		appendJSON(nil, knownFailuresSchema), appendJSON(nil, corpus), appendJSON(nil, name), appendJSON(nil, jsonList(specs)))
}

func parseKnownFailures(content []byte) (*knownFailures, error) {
	var schema string
	var entries []*knownFailure
	known := &knownFailures{entries: make(map[string]*knownFailure)}
	decoder := json.NewDecoder(bytes.NewReader(content))
	if token, err := decoder.Token(); err != nil {
		return nil, err
	} else if token != json.Delim('{') {
		return nil, errors.New("it is not an object of JSON")
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var field json.RawMessage
		if err := decoder.Decode(&field); err != nil {
			return nil, err
		}
		switch name {
		case "schema":
			err = json.Unmarshal(field, &schema)
		case "entries":
			end := decoder.InputOffset()
			known.before = content[:end-int64(len(field))]
			known.after = content[end:]
			err = json.Unmarshal(field, &entries)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if schema != knownFailuresSchema {
		return nil, fmt.Errorf("the schema is %q, not %q", schema, knownFailuresSchema)
	}
	if known.before == nil {
		return nil, errors.New("it has no entries")
	}
	for _, entry := range entries {
		if known.entries[entry.ID] != nil {
			return nil, fmt.Errorf("%s: listed twice", entry.ID)
		}
		known.entries[entry.ID] = entry
	}
	return known, nil
}

// entry returns the entry of a case, or nil.
func (k *knownFailures) entry(id string) *knownFailure {
	return k.entries[id]
}

// find compares the result of a case with the list.
func (k *knownFailures) find(c *testCase, o outcome, a answer) finding {
	entry := k.entry(c.ID)
	switch {
	case entry == nil && o.isFailureOf(c):
		return newFailure
	case entry == nil:
		return ""
	case o == pass, o == variant:
		return stale
	case entry.Digest != c.Digest:
		return moved
	case entry.Outcome == string(o) && equalValues(map[string]any(entry.Got), a.got()):
		return ""
	case !o.isFailure() && entry.Outcome == string(fail):
		return lost
	}
	return changed
}

// isFailureOf reports whether a case with this outcome fails.
func (o outcome) isFailureOf(c *testCase) bool {
	return c.Binding == "required" && o.isFailure()
}

// accept makes the entry of a case fit its result.
func (k *knownFailures) accept(c *testCase, o outcome, a answer) {
	entry := k.entry(c.ID)
	switch {
	case !o.isFailure():
		delete(k.entries, c.ID)
		return
	case entry == nil && !o.isFailureOf(c):
		return
	case entry == nil:
		entry = &knownFailure{ID: c.ID}
		k.entries[c.ID] = entry
	}
	entry.Outcome = string(o)
	entry.Got = a.got()
	entry.Digest = c.Digest
}

// got returns an answer as the list has it. Long texts are abbreviated.
func (a answer) got() map[string]any {
	got := map[string]any{"status": string(a.status)}
	for name, content := range a.content {
		got[name] = abbreviated(content)
	}
	return got
}

// write writes the list into its file, unless the file has the same content.
func (k *knownFailures) write() error {
	content := bytes.Join([][]byte{k.before, k.entriesText(), k.after}, nil)
	if existing, err := os.ReadFile(k.file); err == nil && bytes.Equal(existing, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(k.file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(k.file, content, 0o666)
}

// entriesText returns the entries as the command urlconform writes them: sorted,
// and one on each line.
func (k *knownFailures) entriesText() []byte {
	text := []byte("[")
	for i, id := range sortedKeys(k.entries) {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, "\n  "...)
		text = k.entries[id].appendJSON(text)
	}
	if len(k.entries) > 0 {
		text = append(text, "\n "...)
	}
	return append(text, ']')
}

func (e *knownFailure) appendJSON(data []byte) []byte {
	fields := []struct {
		name    string
		content any
	}{
		{"id", e.ID},
		{"outcome", e.Outcome},
		{"got", map[string]any(e.Got)},
		{"digest", e.Digest},
		{"issue", e.Issue},
		{"note", e.Note},
	}
	data = append(data, '{')
	for i, field := range fields {
		if field.content == "" {
			continue
		}
		data = appendString(appendComma(data, i), field.name)
		data = appendJSON(append(data, ": "...), field.content)
	}
	return append(data, '}')
}
