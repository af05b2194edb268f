package urlconform

import (
	"encoding/json"
	"testing"
)

// rules has for each rule of RUNNER.md an answer on which a judge without the
// rule stumbles.
var rules = []struct {
	rule        string
	admitted    string // a list of admitted answers
	unlisted    outcome
	ignoreCase  bool
	answer      string
	tellsEmpty  bool
	wantOutcome outcome
	wantVariant string
}{
	{
		rule:        "1-no-answer",
		admitted:    `[{"kind": "accept"}]`,
		unlisted:    variant,
		answer:      `{"status": "timeout"}`,
		wantOutcome: "timeout",
	},
	{
		rule:        "2-reject",
		admitted:    `[{"kind": "reject"}]`,
		answer:      `{"status": "ok"}`,
		wantOutcome: fail,
	},
	{
		rule:        "3-accept",
		admitted:    `[{"kind": "accept"}]`,
		answer:      `{"status": "reject"}`,
		wantOutcome: fail,
	},
	{
		rule:        "4-missing-field",
		admitted:    `[{"kind": "components", "components": {"path": "b"}}]`,
		answer:      `{"status": "ok"}`,
		wantOutcome: fail,
	},
	{
		rule:        "5-url",
		admitted:    `[{"kind": "url", "url": "http://h/Q"}]`,
		ignoreCase:  true,
		answer:      `{"status": "ok", "url": "http://h/q"}`,
		wantOutcome: fail,
	},
	{
		rule:        "6-equal",
		admitted:    `[{"kind": "equal", "equal": false}]`,
		answer:      `{"status": "ok", "equal": true}`,
		wantOutcome: fail,
	},
	{
		rule:        "7-urls",
		admitted:    `[{"kind": "urls", "urls": [["a:b", "a:-b"]]}]`,
		answer:      `{"status": "ok", "urls": [["a:b", "a:c"]]}`,
		wantOutcome: fail,
	},
	{
		rule:        "8-several-readings",
		admitted:    `[{"kind": "urls", "urls": [["a:b"]]}, {"kind": "urls", "urls": [["a:-b"]], "variant": "hyphen"}]`,
		answer:      `{"status": "ok", "urls": [["a:-b", "a:b"]]}`,
		wantOutcome: variant,
		wantVariant: "hyphen",
	},
	{
		rule:        "9-components",
		admitted:    `[{"kind": "components", "components": {"path": "b"}}]`,
		answer:      `{"status": "ok", "components": {"query": null}}`,
		wantOutcome: unsupported,
	},
	{
		rule:        "10-decoded",
		admitted:    `[{"kind": "decoded", "decoded": {"host": "h", "name": "a"}}]`,
		answer:      `{"status": "ok", "decoded": {"host": "h", "name": "A"}}`,
		wantOutcome: fail,
	},
	{
		rule:        "11-not-exposed",
		admitted:    `[{"kind": "components", "components": {"path": "b", "query": null}}]`,
		answer:      `{"status": "ok", "components": {"path": "b"}}`,
		tellsEmpty:  true,
		wantOutcome: partial,
	},
	{
		rule:        "12-case",
		admitted:    `[{"kind": "components", "components": {"authority": "U@h:1", "path": "/"}}]`,
		answer:      `{"status": "ok", "components": {"authority": "u@h:1", "path": "/"}}`,
		wantOutcome: fail,
	},
	{
		rule:        "13-lists-and-bytes",
		admitted:    `[{"kind": "decoded", "decoded": {"cwd": ["a"], "name": "b"}}]`,
		answer:      `{"status": "ok", "decoded": {"cwd": [{"hex": "61"}], "name": {"hex": "62"}}}`,
		wantOutcome: pass,
	},
	{
		rule:        "14-absent-and-empty-in-the-RFC",
		admitted:    `[{"kind": "components", "components": {"path": "b", "query": null}, "or_empty": ["query"]}]`,
		answer:      `{"status": "ok", "components": {"path": "b", "query": ""}}`,
		tellsEmpty:  true,
		wantOutcome: pass,
	},
	{
		rule:        "15-absent-and-empty-in-the-library",
		admitted:    `[{"kind": "components", "components": {"path": "b", "query": ""}, "empty": ["query"]}]`,
		answer:      `{"status": "ok", "components": {"path": "b", "query": null}}`,
		wantOutcome: partial,
	},
	{
		rule:        "16-sum",
		admitted:    `[{"kind": "components", "components": {"path": "b", "query": null, "scheme": "a"}}]`,
		answer:      `{"status": "ok", "components": {"path": "c", "query": null}}`,
		wantOutcome: fail,
	},
	{
		rule:        "17-derived-authority",
		admitted:    `[{"kind": "components", "components": {"authority": "U@h:1", "path": "/"}}]`,
		answer:      `{"status": "ok", "components": {"userinfo": "U", "host": "h", "port": null, "path": "/"}}`,
		tellsEmpty:  true,
		wantOutcome: fail,
	},
	{
		rule:        "18-base",
		admitted:    `[{"kind": "base", "base": null}]`,
		answer:      `{"status": "ok", "base": ""}`,
		tellsEmpty:  true,
		wantOutcome: fail,
	},
	{
		rule:        "19-outcome",
		admitted:    `[{"kind": "url", "url": "a:b"}, {"kind": "url", "url": "a:c", "variant": "literal"}]`,
		answer:      `{"status": "ok", "url": "a:c"}`,
		wantOutcome: variant,
		wantVariant: "literal",
	},
	{
		rule:        "20-unlisted",
		admitted:    `[{"kind": "url", "url": "a:b"}]`,
		unlisted:    variant,
		answer:      `{"status": "ok", "url": "a:d"}`,
		wantOutcome: variant,
		wantVariant: "other",
	},
}

func TestRules(t *testing.T) {
	for _, test := range rules {
		t.Run(test.rule, func(t *testing.T) {
			c := testCase{Unlisted: string(test.unlisted), IgnoreCase: test.ignoreCase}
			if err := json.Unmarshal([]byte(test.admitted), &c.Admitted); err != nil {
				t.Fatal(err)
			}
			var a answer
			if err := json.Unmarshal([]byte(test.answer), &a); err != nil {
				t.Fatal(err)
			}
			gotOutcome, gotVariant := judge{tellsEmpty: test.tellsEmpty}.outcome(&c, a)
			if gotOutcome != test.wantOutcome || gotVariant != test.wantVariant {
				t.Errorf("outcome = %q, %q; want %q, %q", gotOutcome, gotVariant, test.wantOutcome, test.wantVariant)
			}
		})
	}
}

// UnmarshalJSON decodes a recorded answer.
func (a *answer) UnmarshalJSON(data []byte) error {
	var fields object
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	a.status = status(fields["status"].(string))
	delete(fields, "status")
	a.content = fields
	return nil
}
