package urlconform

import (
	"fmt"
	"strings"
)

// A report explains the result of a case to people.
type report struct {
	testCase *testCase
	answer   answer
	outcome  outcome
	judge    judge
	known    *knownFailures
}

// String returns the case, its place in the RFC, the question, what was
// answered, and what the RFC admits.
func (r report) String() string {
	c := r.testCase
	lines := []string{
		fmt.Sprintf("%s: %s", c.ID, r.outcome),
		fmt.Sprintf("%s: %s", c.place(), c.Statement),
		"  asked     " + c.describeQuestion(),
		"  answered  " + r.answer.describe(),
	}
	label := "admitted"
	for i := range c.Admitted {
		lines = append(lines, fmt.Sprintf("  %-8s  %s", label, c.Admitted[i].describe()))
		label = ""
	}
	if c.Unlisted == string(variant) {
		lines = append(lines, "            any other answer (other)")
	}
	if names := r.judge.wrongParts(&c.Admitted[0], r.answer); len(names) > 0 {
		lines = append(lines, "  differs   "+strings.Join(names, ", "))
	}
	if words := r.inList(); words != "" {
		lines = append(lines, "  "+words)
	}
	return strings.Join(lines, "\n")
}

// inList says what the list of known failures has to do with the result.
func (r report) inList() string {
	file := r.known.file
	if file == "" {
		return ""
	}
	entry := r.known.entry(r.testCase.ID)
	finding := r.known.find(r.testCase, r.outcome, r.answer)
	if entry == nil {
		if finding == newFailure {
			return "it is not in " + file
		}
		return ""
	}
	words := "it is in " + file
	switch finding {
	case stale:
		words += ", but passes now: remove its entry"
	case moved:
		words += ", but the question or the admitted answers have changed since"
	case lost:
		words += " as a wrong answer, and now there is none, or only a part of one"
	case changed:
		words += ", but the library fails in another way now"
	}
	for _, remark := range []string{entry.Issue, entry.Note} {
		if remark != "" {
			words += "; " + remark
		}
	}
	return words
}

// place returns the RFC, section and paragraph of the statement.
func (c *testCase) place() string {
	place := fmt.Sprintf("RFC %s, section %s", strings.TrimPrefix(c.Spec, "rfc"), c.Section)
	if len(c.Paragraphs) == 0 {
		return place
	}
	numbers := make([]string, len(c.Paragraphs))
	for i, number := range c.Paragraphs {
		numbers[i] = fmt.Sprint(number)
	}
	label := "paragraph"
	if len(numbers) > 1 {
		label = "paragraphs"
	}
	return fmt.Sprintf("%s, %s %s", place, label, strings.Join(numbers, " and "))
}

func (c *testCase) describeQuestion() string {
	words := []string{c.Op}
	for _, name := range sortedKeys(c.Inputs) {
		words = append(words, name, describeValue(c.Inputs[name]))
	}
	if c.Rule != "" {
		words = append(words, "by rule", c.Rule)
	}
	if c.Profile != "" && c.Profile != "generic" {
		words = append(words, "by profile", c.Profile)
	}
	if c.Mode != "" {
		words = append(words, "in mode", c.Mode)
	}
	return strings.Join(words, " ")
}

func (a answer) describe() string {
	words := string(a.status)
	if a.status == statusOK {
		words = "accepted"
	} else if a.status == statusReject {
		words = "rejected"
	}
	for _, name := range sortedKeys(a.content) {
		words = name + " " + describeValue(a.content[name])
	}
	if a.message != "" {
		words += ": " + a.message
	}
	return words
}

func (expected *admitted) describe() string {
	var words string
	switch expected.Kind {
	case "accept":
		words = "accepted"
	case "reject":
		words = "rejected"
	case "same_document":
		words = "same_document true"
	case "components":
		words = "components " + describeValue(map[string]any(expected.Components))
	case "decoded":
		words = "decoded " + describeValue(map[string]any(expected.Decoded))
	case "url":
		words = "url " + describeValue(expected.URL)
	case "urls":
		words = "urls " + describeValue(jsonList(expected.URLs))
	case "equal":
		words = "equal " + describeValue(expected.Equal)
	case "base":
		words = "base " + describeValue(jsonValue(expected.Base))
	}
	if expected.Variant != "" {
		words += " (" + expected.Variant + ")"
	}
	return words
}

// describeValue returns a value as JSON. Long texts are abbreviated.
func describeValue(v any) string {
	return string(appendJSON(nil, abbreviated(v)))
}
