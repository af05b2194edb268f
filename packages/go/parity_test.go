package urlconform

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestParity judges recorded answers as the command urlconform did. Each file of
// the folder URLCONFORM_REPLAY begins with what a library says of itself. The
// answers of a library are also given by an implementation. Those in files with
// the name odd are not, because no library could give them all.
func TestParity(t *testing.T) {
	folder := os.Getenv("URLCONFORM_REPLAY")
	if folder == "" {
		t.Skip("URLCONFORM_REPLAY names no folder of recorded answers")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("%s has no recorded answers", folder)
	}
	cases := allCases(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { replay(t, file, cases) })
	}
}

// allCases returns all cases by id.
func allCases(t *testing.T) map[string]*testCase {
	t.Helper()
	m, err := readManifest()
	if err != nil {
		t.Fatal(err)
	}
	byID := make(map[string]*testCase)
	for _, spec := range m.specs() {
		cases, err := m.readCases(spec, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			byID[c.ID] = c
		}
	}
	return byID
}

// replay judges the answers in a file, and compares the outcomes.
func replay(t *testing.T, name string, cases map[string]*testCase) {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 8<<20)
	if !lines.Scan() {
		t.Fatal("the file is empty")
	}
	var library struct {
		TellsEmpty bool `json:"tells_empty_from_absent"`
	}
	if err := json.Unmarshal(lines.Bytes(), &library); err != nil {
		t.Fatal(err)
	}
	judge := judge{tellsEmpty: library.TellsEmpty}
	isOdd := strings.HasPrefix(filepath.Base(name), "odd")
	count, given := 0, 0
	for lines.Scan() {
		var recorded struct {
			ID      string
			Answer  answer
			Outcome outcome
			Variant string
		}
		if err := json.Unmarshal(lines.Bytes(), &recorded); err != nil {
			t.Fatal(err)
		}
		c := cases[recorded.ID]
		if c == nil {
			t.Errorf("%s: no such case", recorded.ID)
			continue
		}
		answers := []answer{recorded.Answer}
		if lib := (replayer{answer: recorded.Answer}); !isOdd && lib.canGive() {
			answers = append(answers, ask(lib, c))
			given++
		}
		for _, a := range answers {
			gotOutcome, gotVariant := judge.outcome(c, a)
			if gotOutcome != recorded.Outcome || gotVariant != recorded.Variant {
				t.Errorf("%s: outcome = %q, %q; want %q, %q (%s)",
					recorded.ID, gotOutcome, gotVariant, recorded.Outcome, recorded.Variant, a.describe())
			}
		}
		count++
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d answers, %d of them by an implementation", count, given)
}
