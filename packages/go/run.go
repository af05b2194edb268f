package urlconform

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Run asks a library the questions of each RFC, as subtests with names such as
// rfc3986/5.2.4/excess-many.
//
// A subtest fails if its RFC requires another answer, or none came because the
// library panicked, unless the failure is known (see [KnownFailures]). A case
// that is not required is only logged. A case that the library can answer only
// in part, or not at all, is skipped, and so is a known failure.
func Run(t *testing.T, lib Implementation, options ...Option) {
	t.Helper()
	r, err := newRunner(lib, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range r.config.specs {
		t.Run(spec, func(t *testing.T) { r.runSpec(t, spec) })
	}
	if r.config.update {
		if err := r.known.write(); err != nil {
			t.Fatal(err)
		}
	}
}

// A runner asks one library.
type runner struct {
	lib      Implementation
	config   config
	manifest manifest
	judge    judge
	known    *knownFailures
}

func newRunner(lib Implementation, options []Option) (*runner, error) {
	m, err := readManifest()
	if err != nil {
		return nil, err
	}
	r := &runner{lib: lib, config: config{specs: m.specs(), update: *updateFlag}, manifest: m}
	for _, option := range options {
		option(&r.config)
	}
	if len(r.config.specs) == 0 {
		return nil, errors.New("urlconform: the option Specs names no RFC")
	}
	for _, spec := range r.config.specs {
		if !slices.Contains(m.specs(), spec) {
			return nil, fmt.Errorf("urlconform: unknown RFC %q (known: %s)", spec, strings.Join(m.specs(), ", "))
		}
	}
	if !offersAny(lib) {
		return nil, fmt.Errorf("urlconform: %T has no operation: implement Validator, Parser, Resolver or another", lib)
	}
	if r.config.update && r.config.knownFailures == "" {
		return nil, errors.New("urlconform: the option KnownFailures has to name the file to update")
	}
	r.judge = judge{tellsEmpty: r.config.tellsEmpty}
	r.known, err = readKnownFailures(r.config.knownFailures, lib.Name(), m.Corpus.Digest, r.config.specs)
	return r, err
}

func (r *runner) runSpec(t *testing.T, spec string) {
	cases, err := r.manifest.readCases(spec, testing.Short())
	if err != nil {
		t.Fatal(err)
	}
	var sections []string
	inSection := make(map[string][]*testCase)
	for _, c := range cases {
		if inSection[c.Section] == nil {
			sections = append(sections, c.Section)
		}
		inSection[c.Section] = append(inSection[c.Section], c)
	}
	var counts tally
	for _, section := range sections {
		t.Run(section, func(t *testing.T) {
			for _, c := range inSection[section] {
				r.runCase(t, c, &counts)
			}
		})
	}
	t.Log(counts)
}

// runCase runs a case as a subtest, unless it is of an operation that the
// library does not offer, and no known failure.
func (r *runner) runCase(t *testing.T, c *testCase, counts *tally) {
	if !operations[c.Op].offered(r.lib) && r.known.entry(c.ID) == nil {
		counts.add(c, unsupported)
		return
	}
	t.Run(strings.TrimPrefix(c.ID, c.Spec+"-"+c.Section+"-"), func(t *testing.T) {
		a := ask(r.lib, c)
		o, _ := r.judge.outcome(c, a)
		counts.add(c, o)
		if r.config.update {
			r.known.accept(c, o, a)
			return
		}
		what := report{testCase: c, answer: a, outcome: o, judge: r.judge, known: r.known}
		switch {
		case r.known.find(c, o, a) != "":
			t.Error(what)
		case o == partial, o == unsupported, r.known.entry(c.ID) != nil:
			t.Skip(what)
		case o.isFailure():
			t.Log(what)
		}
	})
}

// A tally counts cases by outcome. Accepted and rejected texts are counted
// apart, because a library that accepts everything is right about every valid
// text.
type tally struct {
	outcomes              map[outcome]int
	valid, validRight     int
	invalid, invalidRight int
}

func (n *tally) add(c *testCase, o outcome) {
	if n.outcomes == nil {
		n.outcomes = make(map[outcome]int)
	}
	n.outcomes[o]++
	if c.Op != "validate" || o == unsupported {
		return
	}
	isRight := o == pass || o == variant
	if c.takesValidText() {
		n.valid++
		if isRight {
			n.validRight++
		}
		return
	}
	n.invalid++
	if isRight {
		n.invalidRight++
	}
}

// String returns the counts in words.
func (n tally) String() string {
	var parts []string
	for _, o := range []outcome{pass, variant, partial, fail, outcome(statusError), unsupported} {
		if n.outcomes[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.outcomes[o], o))
		}
	}
	if n.valid > 0 {
		parts = append(parts, fmt.Sprintf("accepted %d of %d valid texts", n.validRight, n.valid))
	}
	if n.invalid > 0 {
		parts = append(parts, fmt.Sprintf("rejected %d of %d invalid texts", n.invalidRight, n.invalid))
	}
	return strings.Join(parts, ", ")
}
