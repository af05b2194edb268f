package urlconform

import (
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
)

// The release writes these files: see packages/README.md. A clone has them
// after packages/pack.py has run.
//
//go:embed bundle/manifest.json bundle/*.json.gz
var bundleFiles embed.FS

// manifest says which corpus the package has, and in which files.
type manifest struct {
	Corpus struct{ Version, Digest string }
	Files  []struct{ Name, Spec string }
}

func readManifest() (manifest, error) {
	var m manifest
	data, err := bundleFiles.ReadFile("bundle/manifest.json")
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(data, &m)
}

// specs returns the RFCs of the package, such as rfc3986.
func (m manifest) specs() []string {
	var specs []string
	for _, file := range m.Files {
		if !slices.Contains(specs, file.Spec) {
			specs = append(specs, file.Spec)
		}
	}
	slices.Sort(specs)
	return specs
}

// readCases returns the cases of an RFC. Cases with long texts are left out if
// short is true.
func (m manifest) readCases(spec string, short bool) ([]*testCase, error) {
	names := []string{"urlvectors-" + spec + ".json"}
	long := "urlvectors-" + spec + "-long.json"
	if !short && m.has(long) {
		names = append(names, long)
	}
	var cases []*testCase
	for _, name := range names {
		some, err := readFile("bundle/" + name + ".gz")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		cases = append(cases, some...)
	}
	return cases, nil
}

func (m manifest) has(name string) bool {
	for _, file := range m.Files {
		if file.Name == name {
			return true
		}
	}
	return false
}

func readFile(name string) ([]*testCase, error) {
	file, err := bundleFiles.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	var document struct{ Cases []*testCase }
	if err := json.NewDecoder(unpacked).Decode(&document); err != nil {
		return nil, err
	}
	return document.Cases, nil
}

// A testCase is a question with every admitted answer. README.md of the bundle
// explains the fields.
type testCase struct {
	ID          string
	Digest      string
	Spec        string
	Section     string
	Requirement string
	Statement   string
	Paragraphs  []int
	Binding     string
	Op          string
	Rule        string
	Profile     string
	Mode        string
	Inputs      object     `json:"question"`
	Admitted    []admitted `json:"answers"`
	Unlisted    string
	IgnoreCase  bool `json:"ignore_case"`
}

// admitted is an answer that the RFC admits. Kind names the field that has it,
// except for accept, reject and same_document.
type admitted struct {
	Variant    string
	Kind       string
	Components object
	URL        string
	URLs       [][]string
	Equal      bool
	Decoded    object
	Base       *string
	Empty      []string
	OrEmpty    []string `json:"or_empty"`
}

// parts returns the components or the decoded parts of an answer of these kinds.
func (a *admitted) parts() object {
	if a.Kind == "decoded" {
		return a.Decoded
	}
	return a.Components
}

// object is an object of JSON, with octets for hex.
type object map[string]any

// UnmarshalJSON decodes an object.
func (o *object) UnmarshalJSON(data []byte) error {
	v, err := decodeValue(data)
	if err != nil {
		return err
	}
	members, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%.20s is not an object", data)
	}
	*o = members
	return nil
}

// question returns what a library is asked.
func (c *testCase) question() Question {
	return Question{
		Spec:          c.Spec,
		Rule:          c.Rule,
		Profile:       c.Profile,
		Mode:          c.Mode,
		URL:           c.input("url"),
		Other:         c.input("other"),
		Base:          c.input("base"),
		Reference:     c.input("reference"),
		Components:    c.components(),
		Text:          c.input("text"),
		Embedded:      c.optionalInput("embedded"),
		Encapsulating: c.optionalInput("encapsulating"),
		Retrieval:     c.optionalInput("retrieval"),
		Default:       c.optionalInput("default"),
		Header:        c.optionalInput("header"),
	}
}

// input returns a text of the question, or "" if the operation has none of this
// name.
func (c *testCase) input(name string) string {
	if input := c.optionalInput(name); input != nil {
		return *input
	}
	return ""
}

func (c *testCase) optionalInput(name string) *string {
	switch input := c.Inputs[name].(type) {
	case string:
		return &input
	case octets:
		bytes := string(input)
		return &bytes
	}
	return nil
}

func (c *testCase) components() Components {
	inputs, ok := c.Inputs["components"].(map[string]any)
	if !ok {
		return nil
	}
	components := make(Components, len(inputs))
	for name, part := range inputs {
		if pairs, ok := part.([]any); ok {
			components[name] = stringPairs(pairs)
		} else {
			components[name] = part
		}
	}
	return components
}

// stringPairs returns the pairs of a part, such as fieldspecs.
func stringPairs(list []any) [][2]string {
	pairs := make([][2]string, len(list))
	for i, element := range list {
		pair := element.([]any)
		pairs[i] = [2]string{pair[0].(string), pair[1].(string)}
	}
	return pairs
}

// takesValidText reports whether the recommended answer to the case is not a
// rejection.
func (c *testCase) takesValidText() bool {
	return c.Admitted[0].Kind != "reject"
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
