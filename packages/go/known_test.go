package urlconform

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const knownID = "rfc3986-5.2.4-a"

var (
	wrongAnswer = answer{status: statusOK, content: map[string]any{"url": "a:b"}}
	otherAnswer = answer{status: statusOK, content: map[string]any{"url": "a:c"}}
	rejection   = answer{status: statusReject, message: "no reason"}
)

// entry returns an entry for the case of the tests.
func entry(outcome outcome, a answer, digest string) *knownFailure {
	return &knownFailure{ID: knownID, Outcome: string(outcome), Got: a.got(), Digest: digest}
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name    string
		entry   *knownFailure
		binding string
		outcome outcome
		answer  answer
		want    finding
	}{
		{"no entry, passes", nil, "required", pass, wrongAnswer, ""},
		{"no entry, fails", nil, "required", fail, wrongAnswer, newFailure},
		{"no entry, panics", nil, "required", "error", answer{status: statusError}, newFailure},
		{"no entry, partial", nil, "required", partial, wrongAnswer, ""},
		{"no entry, not required", nil, "permitted-set", fail, wrongAnswer, ""},
		{"known", entry(fail, wrongAnswer, "d"), "required", fail, wrongAnswer, ""},
		{"known rejection", entry(fail, rejection, "d"), "required", fail, answer{status: statusReject}, ""},
		{"passes", entry(fail, wrongAnswer, "d"), "required", pass, otherAnswer, stale},
		{"variant", entry(fail, wrongAnswer, "d"), "permitted-set", variant, otherAnswer, stale},
		{"passes and moved", entry(fail, wrongAnswer, "e"), "required", pass, otherAnswer, stale},
		{"moved", entry(fail, wrongAnswer, "e"), "required", fail, wrongAnswer, moved},
		{"other answer", entry(fail, wrongAnswer, "d"), "required", fail, otherAnswer, changed},
		{"other outcome", entry("error", wrongAnswer, "d"), "required", fail, wrongAnswer, changed},
		{"not offered", entry(fail, wrongAnswer, "d"), "required", unsupported, answer{status: statusUnsupported}, lost},
		{"partial", entry(fail, wrongAnswer, "d"), "required", partial, otherAnswer, lost},
		{"partial after an error", entry("error", wrongAnswer, "d"), "required", partial, otherAnswer, changed},
	} {
		t.Run(test.name, func(t *testing.T) {
			known := &knownFailures{entries: make(map[string]*knownFailure)}
			if test.entry != nil {
				known.entries[knownID] = test.entry
			}
			c := &testCase{ID: knownID, Digest: "d", Binding: test.binding}
			if got := known.find(c, test.outcome, test.answer); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

const knownFile = `{
  "schema": "urlbaseline-2",
  "answered":   {"rfc3986": {"resolve": 7}},
  "entries": [
 {"id": "rfc3986-5.2.4-b", "outcome": "fail", "got": {"status": "ok", "url": "é"}, "digest": "0123456789ab", "issue": "#7"},
 {"id": "rfc3986-5.2.4-a", "outcome": "fail", "got": {"status": "reject"}, "digest": "0123456789ab", "note": "why"}
], "further": [1,2]}`

// written returns the text of a list of known failures.
func written(t *testing.T, known *knownFailures) string {
	t.Helper()
	known.file = filepath.Join(t.TempDir(), "known.json")
	if err := known.write(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(known.file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestWriteLeavesAllButEntries(t *testing.T) {
	known, err := parseKnownFailures([]byte(knownFile))
	if err != nil {
		t.Fatal(err)
	}
	known.accept(&testCase{ID: knownID, Digest: "d", Binding: "required"}, fail, wrongAnswer)
	want := `{
  "schema": "urlbaseline-2",
  "answered":   {"rfc3986": {"resolve": 7}},
  "entries": [
  {"id": "rfc3986-5.2.4-a", "outcome": "fail", "got": {"status": "ok", "url": "a:b"}, "digest": "d", "note": "why"},
  {"id": "rfc3986-5.2.4-b", "outcome": "fail", "got": {"status": "ok", "url": "\u00e9"}, "digest": "0123456789ab", "issue": "#7"}
 ], "further": [1,2]}`
	if got := written(t, known); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAccept(t *testing.T) {
	for _, test := range []struct {
		name    string
		id      string
		binding string
		outcome outcome
		want    bool
	}{
		{"new failure", "rfc3986-5.2.4-new", "required", fail, true},
		{"new failure that is not required", "rfc3986-5.2.4-new", "unspecified", fail, false},
		{"known failure", knownID, "required", fail, true},
		{"known failure that is not required", knownID, "unspecified", fail, true},
		{"passes now", knownID, "required", pass, false},
		{"partial now", knownID, "required", partial, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			known, err := parseKnownFailures([]byte(knownFile))
			if err != nil {
				t.Fatal(err)
			}
			known.accept(&testCase{ID: test.id, Binding: test.binding}, test.outcome, otherAnswer)
			if got := known.entry(test.id) != nil; got != test.want {
				t.Errorf("listed = %v, want %v", got, test.want)
			}
		})
	}
}

func TestReportSaysWhatIsListed(t *testing.T) {
	const file = "known.json"
	for _, test := range []struct {
		name    string
		file    string
		entry   *knownFailure
		outcome outcome
		want    string
	}{
		{"no list", "", nil, fail, ""},
		{"passes", file, nil, pass, ""},
		{"new", file, nil, fail, "it is not in known.json"},
		{"known", file, entry(fail, wrongAnswer, "d"), fail, "it is in known.json"},
		{"known with remarks", file, &knownFailure{
			ID: knownID, Outcome: "fail", Got: wrongAnswer.got(), Digest: "d", Issue: "#7", Note: "why",
		}, fail, "it is in known.json; #7; why"},
		{"stale", file, entry(fail, wrongAnswer, "d"), pass, "it is in known.json, but passes now: remove its entry"},
	} {
		t.Run(test.name, func(t *testing.T) {
			known := &knownFailures{file: test.file, entries: make(map[string]*knownFailure)}
			if test.entry != nil {
				known.entries[knownID] = test.entry
			}
			c := &testCase{ID: knownID, Digest: "d", Binding: "required"}
			what := report{testCase: c, answer: wrongAnswer, outcome: test.outcome, known: known}
			if got := what.inList(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestNewFile(t *testing.T) {
	known, err := readKnownFailures(filepath.Join(t.TempDir(), "none.json"), "é", "0123456789ab", []string{"rfc3986"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{
 "schema": "urlbaseline-2",
 "corpus": "0123456789ab",
 "implementation": "\u00e9",
 "spec": ["rfc3986"],
 "entries": []
}
`
	if got := written(t, known); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFileThatIsNoListIsRefused(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"no JSON", "?", "invalid character"},
		{"no object", "[]", "not an object"},
		{"older schema", `{"schema": "urlbaseline-1", "entries": []}`, `not "urlbaseline-2"`},
		{"no entries", `{"schema": "urlbaseline-2"}`, "no entries"},
		{"entry twice", `{"schema": "urlbaseline-2", "entries": [{"id": "a"}, {"id": "a"}]}`, "a: listed twice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseKnownFailures([]byte(test.content))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestLongTextsAreAbbreviated(t *testing.T) {
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"1,024 characters", strings.Repeat("é", 1024), strings.Repeat("é", 1024)},
		{
			"1,025 characters", strings.Repeat("é", 1025),
			strings.Repeat("é", 80) + "… (1,025 characters, SHA-256 7401d66e53876ff539ca56c712df32fc80df1299bf461199add1c50723cfe6cd)",
		},
		{
			"513 bytes", octets(strings.Repeat("\xff", 513)),
			"hex " + strings.Repeat("ff", 40) + "… (513 bytes, SHA-256 ea032debaa72c17dae01588597abe1bf263f08612fe41bd4a599e6b3480f0bec)",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := abbreviated(test.value); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
