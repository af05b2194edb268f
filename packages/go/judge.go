package urlconform

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The numbers in comments are those of the rules in RUNNER.md of the bundle.

// An outcome is the result of a case.
type outcome string

const (
	pass        outcome = "pass"
	variant     outcome = "variant"
	partial     outcome = "partial"
	fail        outcome = "fail"
	unsupported outcome = "unsupported"
)

// isFailure reports whether the outcome of a required case is a failure: it is
// fail, or the library gave no answer at all.
func (o outcome) isFailure() bool {
	switch o {
	case pass, variant, partial, unsupported:
		return false
	}
	return true
}

// A comparison is the result of comparing an answer with an admitted one. A
// smaller one is better.
type comparison int

const (
	right comparison = iota
	incomplete
	notOffered
	wrong
)

func rightIf(isRight bool) comparison {
	if isRight {
		return right
	}
	return wrong
}

// A judge judges the answers of one library.
type judge struct {
	tellsEmpty bool // the library tells an empty part from an absent one
}

// outcome returns the outcome of a case, and the name of its variant, which is
// empty unless the outcome is variant.
func (j judge) outcome(c *testCase, a answer) (outcome, string) {
	if a.status != statusOK && a.status != statusReject {
		return outcome(a.status), "" // rule 1
	}
	best, name := j.best(c, a)
	if best == wrong {
		best, name = j.best(c, withFirstReadings(c, a)) // rule 8
	}
	switch {
	case best == wrong && c.Unlisted == string(variant):
		return variant, "other" // rule 20
	case best == wrong:
		return fail, "" // rule 20
	case best == incomplete:
		return partial, ""
	case best == notOffered:
		return unsupported, ""
	case name != "":
		return variant, name // rule 19
	}
	return pass, "" // rule 19
}

// best returns the best comparison with the admitted answers, and the variant of
// that answer. Of equal ones, an answer without a variant is the best, and then
// the first.
func (j judge) best(c *testCase, a answer) (comparison, string) {
	best, name := wrong, ""
	for i := range c.Admitted {
		expected := &c.Admitted[i]
		got := j.compare(c, expected, a)
		if got < best || got == best && name != "" && expected.Variant == "" {
			best, name = got, expected.Variant
		}
	}
	return best, name
}

func (j judge) compare(c *testCase, expected *admitted, a answer) comparison {
	if expected.Kind == "reject" {
		return rightIf(a.status == statusReject) // rule 2
	}
	if a.status == statusReject {
		return wrong // rule 3
	}
	if expected.Kind == "accept" {
		return right // rule 3
	}
	content, ok := a.content[expected.Kind]
	if !ok {
		return wrong // rule 4
	}
	switch expected.Kind {
	case "same_document":
		return rightIf(content == true) // rule 4
	case "url":
		return rightIf(equalURLs(expected.URL, content, c.IgnoreCase))
	case "equal":
		return rightIf(content == expected.Equal) // rule 6
	case "urls":
		return rightIf(equalReadings(expected.URLs, content))
	case "components", "decoded":
		return j.compareParts(expected, content)
	case "base":
		return j.compareBase(expected, content, c.IgnoreCase)
	}
	return wrong
}

// equalURLs reports whether two URLs are equal, apart from the case of scheme
// and host if that is to be ignored (rule 5).
func equalURLs(expected string, content any, ignoreCase bool) bool {
	got, ok := content.(string)
	if !ok {
		return false
	}
	return got == expected || ignoreCase && folded(got) == folded(expected)
}

// folded returns a reference with its scheme and host in lower case.
func folded(url string) string {
	if before, rest, ok := strings.Cut(url, "//"); ok && !strings.ContainsAny(before, "/?#") {
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		return lower(before) + "//" + withLowerHost(rest[:end]) + rest[end:]
	}
	if before, rest, ok := strings.Cut(url, ":"); ok && !strings.ContainsAny(before, "/?#") {
		return lower(before) + ":" + rest
	}
	return url
}

// withLowerHost returns an authority with all after its last @ in lower case.
func withLowerHost(authority string) string {
	host := strings.LastIndex(authority, "@") + 1
	return authority[:host] + lower(authority[host:])
}

// lower returns a text in lower case. Unlike strings.ToLower, it maps İ to two
// characters, as the tables of Unicode do.
func lower(text string) string {
	return strings.ToLower(strings.ReplaceAll(text, "\u0130", "i\u0307"))
}

// equalReadings reports whether there are as many URLs as expected, and only
// admissible readings of each (rule 7).
func equalReadings(expected [][]string, content any) bool {
	urls, ok := content.([]any)
	if !ok || len(urls) != len(expected) {
		return false
	}
	for i, readings := range urls {
		if !onlyFrom(expected[i], readings) {
			return false
		}
	}
	return true
}

// onlyFrom reports whether there are readings, and all of them are admissible.
func onlyFrom(admissible []string, content any) bool {
	readings, ok := content.([]any)
	if !ok || len(readings) == 0 {
		return false
	}
	for _, reading := range readings {
		url, ok := reading.(string)
		if !ok || !slices.Contains(admissible, url) {
			return false
		}
	}
	return true
}

// withFirstReadings returns an answer with only the first reading of each URL,
// if an admitted answer with as many URLs has each reading (rule 8). Otherwise
// it returns the answer unchanged.
func withFirstReadings(c *testCase, a answer) answer {
	urls, ok := a.content["urls"].([]any)
	if !ok {
		return a
	}
	admissible := make([][]string, len(urls))
	for _, expected := range c.Admitted {
		if expected.Kind != "urls" || len(expected.URLs) != len(urls) {
			continue
		}
		for i, readings := range expected.URLs {
			admissible[i] = append(admissible[i], readings...)
		}
	}
	first := make([]any, len(urls))
	for i, readings := range urls {
		if !onlyFrom(admissible[i], readings) {
			return a
		}
		first[i] = readings.([]any)[:1]
	}
	return answer{status: a.status, content: map[string]any{"urls": first}}
}

// A part is the result of comparing one component or decoded part.
type part int

const (
	rightPart   part = iota
	wrongPart        // it is another one
	hiddenPart       // the library does not expose it
	blurredPart      // the library cannot tell whether it is there
)

// compareParts compares each part of the admitted answer (rules 9 and 10).
func (j judge) compareParts(expected *admitted, content any) comparison {
	got, ok := content.(map[string]any)
	if !ok {
		return wrong
	}
	if !sharesName(expected.parts(), got) {
		return notOffered // rule 9
	}
	return sum(j.parts(expected, got))
}

// parts returns the result for each part of the admitted answer.
func (j judge) parts(expected *admitted, got map[string]any) map[string]part {
	parts := make(map[string]part, len(expected.parts()))
	for name, admittedPart := range expected.parts() {
		content, shown := got[name]
		switch {
		case !shown && name == "authority" && expected.Kind == "components":
			parts[name] = j.derivedAuthority(admittedPart, got) // rule 17
		case !shown:
			parts[name] = hiddenPart // rule 11
		case !j.equalParts(expected, name, admittedPart, content):
			parts[name] = wrongPart
		default:
			parts[name] = j.equalPart(name, expected.Empty)
		}
	}
	return parts
}

func (j judge) equalParts(expected *admitted, name string, admittedPart, content any) bool {
	if expected.Kind == "decoded" {
		return j.equalDecoded(name, admittedPart, content)
	}
	return j.equalComponents(name, admittedPart, content, expected.OrEmpty)
}

// wrongParts returns the names of the components or decoded parts that differ
// from an admitted answer.
func (j judge) wrongParts(expected *admitted, a answer) []string {
	got, ok := a.content[expected.Kind].(map[string]any)
	if !ok {
		return nil
	}
	var names []string
	for name, p := range j.parts(expected, got) {
		if p == wrongPart {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func sharesName(expected object, got map[string]any) bool {
	for name := range expected {
		if _, ok := got[name]; ok {
			return true
		}
	}
	return false
}

// equalPart returns the result for a part that is not wrong (rule 15).
func (j judge) equalPart(name string, empty []string) part {
	if !j.tellsEmpty && slices.Contains(empty, name) {
		return blurredPart
	}
	return rightPart
}

// sum returns the comparison that the results of all parts make (rule 16).
func sum(parts map[string]part) comparison {
	total := right
	for _, p := range parts {
		switch p {
		case wrongPart:
			return wrong
		case hiddenPart, blurredPart:
			total = incomplete
		}
	}
	return total
}

func (j judge) equalComponents(name string, expected, got any, orEmpty []string) bool {
	if equalValues(expected, got) { // rule 13
		return true
	}
	if expected == nil && got == "" && slices.Contains(orEmpty, name) {
		return true // rule 14
	}
	return j.bothNothing(expected, got) || equalInLowerCase(name, expected, got)
}

// equalInLowerCase applies rule 12.
func equalInLowerCase(name string, expected, got any) bool {
	expectedText, isText := expected.(string)
	gotText, isTextToo := got.(string)
	if !isText || !isTextToo {
		return false
	}
	switch name {
	case "scheme", "host":
		return lower(expectedText) == lower(gotText)
	case "authority", "net_loc":
		return withLowerHost(expectedText) == withLowerHost(gotText)
	}
	return false
}

// bothNothing reports whether both parts are absent or empty, and the library
// does not tell that apart (rule 15).
func (j judge) bothNothing(expected, got any) bool {
	return !j.tellsEmpty && isNothing(expected) && isNothing(got)
}

func isNothing(part any) bool {
	return part == nil || part == ""
}

func (j judge) equalDecoded(name string, expected, got any) bool {
	if equalBytes(expected, got) { // rule 13
		return true
	}
	expectedBytes, isText := textBytes(expected)
	gotBytes, isTextToo := textBytes(got)
	if (name == "scheme" || name == "host") && isText && isTextToo {
		return lowerASCII(expectedBytes) == lowerASCII(gotBytes) // rule 12
	}
	return name != "request" && j.bothNothing(expected, got) // rule 15
}

// equalBytes reports whether two decoded parts are equal as bytes (rule 13).
func equalBytes(expected, got any) bool {
	expectedList, isList := expected.([]any)
	gotList, isListToo := got.([]any)
	if isList || isListToo {
		if !isList || !isListToo || len(expectedList) != len(gotList) {
			return false
		}
		for i := range expectedList {
			if !equalBytes(expectedList[i], gotList[i]) {
				return false
			}
		}
		return true
	}
	expectedBytes, isText := textBytes(expected)
	gotBytes, isTextToo := textBytes(got)
	if isText && isTextToo {
		return expectedBytes == gotBytes
	}
	return equalValues(expected, got)
}

func textBytes(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case octets:
		return string(v), true
	}
	return "", false
}

func lowerASCII(text string) string {
	lowered := []byte(text)
	for i, b := range lowered {
		if 'A' <= b && b <= 'Z' {
			lowered[i] = b - 'A' + 'a'
		}
	}
	return string(lowered)
}

// derivedAuthority judges the authority that userinfo, host and port make (RFC
// 3986, section 3.2). The steps are those of RUNNER.md.
func (j judge) derivedAuthority(expected any, got map[string]any) part {
	userinfo, host, port := authorityPart(got, "userinfo"), authorityPart(got, "host"), authorityPart(got, "port")
	if userinfo == nil || host == nil || port == nil {
		return hiddenPart // step 1
	}
	if !j.isThere(host) {
		return j.authorityWithoutHost(expected) // step 2
	}
	authority, ok := expected.(string)
	if !ok {
		return wrongPart // step 5
	}
	before, after := "", ""
	if j.isThere(userinfo) {
		before = userinfo.text + "@"
	}
	if j.isThere(port) {
		after = ":" + port.text
	}
	if sameAuthority(authority, before, host.text, after) {
		return rightPart // step 3
	}
	if j.tellsEmpty {
		return wrongPart // step 5
	}
	// What the library shows as absent may be an empty userinfo or port.
	emptyBefore, emptyAfter := cmp.Or(before, "@"), cmp.Or(after, ":")
	if sameAuthority(authority, emptyBefore, host.text, after) ||
		sameAuthority(authority, before, host.text, emptyAfter) ||
		sameAuthority(authority, emptyBefore, host.text, emptyAfter) {
		return blurredPart // step 4
	}
	return wrongPart // step 5
}

// An optionalText is a component that may be absent.
type optionalText struct {
	text     string
	isAbsent bool
}

// authorityPart returns a part of an authority, or nil if it is not exposed or
// is no text.
func authorityPart(got map[string]any, name string) *optionalText {
	component, shown := got[name]
	if !shown {
		return nil
	}
	switch component := component.(type) {
	case nil:
		return &optionalText{isAbsent: true}
	case string:
		return &optionalText{text: component}
	}
	return nil
}

// isThere reports whether a URL has a component. If the library does not tell
// an empty one from an absent one, it has only those that are not empty.
func (j judge) isThere(component *optionalText) bool {
	return component.text != "" || j.tellsEmpty && !component.isAbsent
}

func (j judge) authorityWithoutHost(expected any) part {
	switch {
	case expected == nil:
		return rightPart
	case expected == "" && !j.tellsEmpty:
		return blurredPart
	}
	return hiddenPart
}

// sameAuthority reports whether three parts make an authority, apart from the
// case of the host.
func sameAuthority(authority, before, host, after string) bool {
	if utf8.RuneCountInString(authority) != utf8.RuneCountInString(before+host+after) {
		return false
	}
	rest, ok := strings.CutPrefix(authority, before)
	if !ok {
		return false
	}
	middle, ok := strings.CutSuffix(rest, after)
	return ok && lower(middle) == lower(host)
}

// compareBase compares bases (rule 18).
func (j judge) compareBase(expected *admitted, content any, ignoreCase bool) comparison {
	if expected.Base == nil || *expected.Base == "" {
		var base any
		if expected.Base != nil {
			base = ""
		}
		if base != content && !j.bothNothing(base, content) {
			return wrong
		}
		return sum(map[string]part{"base": j.equalPart("base", expected.Empty)})
	}
	return rightIf(equalURLs(*expected.Base, content, ignoreCase))
}
