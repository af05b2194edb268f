package urlconform

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tests below run this test binary again, because a test cannot look at
// subtests that fail. TestLibrary is what they run.
func TestLibrary(t *testing.T) {
	lib := libraries[os.Getenv("TEST_LIBRARY")]
	if lib == nil {
		t.Skip("it is for other tests")
	}
	options := []Option{Specs("rfc3986")}
	if file := os.Getenv("TEST_KNOWN_FAILURES"); file != "" {
		options = append(options, KnownFailures(file))
	}
	Run(t, lib, options...)
}

var libraries = map[string]Implementation{
	"first":    first{},
	"merging":  merging{},
	"panics":   panics{},
	"hesitant": hesitant{},
	"nothing":  named{},
}

type named struct{}

func (named) Name() string { return "a library" }

// first answers each reference with the reference.
type first struct{ named }

func (first) Resolve(q Question) (string, error) { return q.Reference, nil }

// merging answers each reference with base and reference.
type merging struct{ named }

func (merging) Resolve(q Question) (string, error) { return q.Base + q.Reference, nil }

type panics struct{ named }

func (panics) Resolve(Question) (string, error) { panic("out of luck") }

type hesitant struct{ named }

func (hesitant) Resolve(Question) (string, error) { return "", ErrUnsupported }

// A runOf is a run of TestLibrary with a library.
type runOf struct {
	library       string
	knownFailures string
	pattern       string // of subtests
	flags         []string
}

const oneSection = "rfc3986/5.4.1$"

// result returns what the run printed, and whether it passed.
func (r runOf) result(t *testing.T) (output string, ok bool) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary, append(r.flags, "-test.v", "-test.run=^TestLibrary$/"+r.pattern)...)
	command.Env = append(os.Environ(), "TEST_LIBRARY="+r.library, "TEST_KNOWN_FAILURES="+r.knownFailures)
	printed, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(printed), err == nil
}

// subtests returns the names of the cases whose line has a word such as FAIL.
func subtests(output, word string) []string {
	lines := regexp.MustCompile(`--- `+word+`: TestLibrary/(\S+/\S+/\S+) `).FindAllStringSubmatch(output, -1)
	var names []string
	for _, line := range lines {
		names = append(names, line[1])
	}
	return names
}

func TestPatternSelectsSection(t *testing.T) {
	output, _ := runOf{library: "first", pattern: oneSection}.result(t)
	names := append(subtests(output, "PASS"), subtests(output, "FAIL")...)
	if len(names) < 20 {
		t.Errorf("only %d subtests ran", len(names))
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "rfc3986/5.4.1/") {
			t.Errorf("%s ran", name)
		}
	}
}

func TestShortLeavesOutLongTexts(t *testing.T) {
	m, err := readManifest()
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.readCases("rfc3986", false)
	if err != nil {
		t.Fatal(err)
	}
	some, err := m.readCases("rfc3986", true)
	if err != nil {
		t.Fatal(err)
	}
	if len(some) == 0 || len(some) >= len(all) {
		t.Errorf("%d of %d cases are short", len(some), len(all))
	}
}

func TestOperationThatIsNotOfferedIsNotAsked(t *testing.T) {
	output, ok := runOf{library: "first", pattern: "rfc3986/3.2.2$"}.result(t)
	if names := subtests(output, "SKIP"); !ok || len(names) > 0 {
		t.Errorf("ok = %v, skipped = %v", ok, names)
	}
}

func TestUnsupportedCasesAreSkipped(t *testing.T) {
	output, ok := runOf{library: "hesitant", pattern: oneSection}.result(t)
	if names := subtests(output, "SKIP"); !ok || len(names) == 0 {
		t.Errorf("ok = %v, skipped = %v", ok, names)
	}
}

func TestLibraryWithoutOperationsIsRefused(t *testing.T) {
	output, ok := runOf{library: "nothing", pattern: oneSection}.result(t)
	if ok || !strings.Contains(output, "has no operation") {
		t.Error(output)
	}
}

func TestPanicIsAnError(t *testing.T) {
	output, ok := runOf{library: "panics", pattern: oneSection + "/ex-01$"}.result(t)
	if ok || !strings.Contains(output, "rfc3986-5.4.1-ex-01: error") || !strings.Contains(output, "panic: out of luck") {
		t.Error(output)
	}
}

func TestFailureIsReadable(t *testing.T) {
	output, _ := runOf{library: "first", pattern: oneSection + "/ex-02$"}.result(t)
	for _, want := range []string{
		"rfc3986-5.4.1-ex-02: fail\n",
		"RFC 3986, section 5.4.1, paragraph ",
		`asked     resolve base "http://a/b/c/d;p?q" reference "g"`,
		`answered  url "g"`,
		`admitted  url "http://a/b/c/g"`,
	} {
		if !strings.Contains(output, want) {
			t.Errorf("%q is missing in\n%s", want, output)
		}
	}
}

func TestKnownFailuresAreSkipped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "known.json")
	first := runOf{library: "first", knownFailures: file, pattern: oneSection}
	if output, ok := first.result(t); ok {
		t.Fatalf("passed without a file:\n%s", output)
	}
	update := first
	update.flags = []string{"-urlconform.update"}
	if output, ok := update.result(t); !ok {
		t.Fatalf("failed to write the file:\n%s", output)
	}
	output, ok := first.result(t)
	if names := subtests(output, "SKIP"); !ok || len(names) == 0 {
		t.Errorf("ok = %v, skipped = %v", ok, names)
	}
}

func TestLibraryThatFailsInAnotherWayFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "known.json")
	runOf{library: "first", knownFailures: file, pattern: oneSection, flags: []string{"-urlconform.update"}}.result(t)
	output, ok := runOf{library: "merging", knownFailures: file, pattern: oneSection}.result(t)
	if ok || !slices.Contains(subtests(output, "FAIL"), "rfc3986/5.4.1/ex-02") {
		t.Error(output)
	}
}
