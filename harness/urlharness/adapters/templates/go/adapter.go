// An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
package main
import ("encoding/json"; "errors"; "fmt"; "net/url"; "os"; "runtime"; "strings")

type object = map[string]any
var hello = object{"type": "hello", "protocol": 1, "window": 64, "ops": []string{"validate", "parse", "resolve"},
	"implementation": object{"name": "net/url", "version": runtime.Version(), "language": "go"},
	"specs": []string{"rfc3986"}, "features": []string{"validate-by-parse"}} // it loses the # of http://h/#

// Your library goes here: nil is absent, "" is present but empty; leave out what it does not have.
func answer(q object) (reply object) {
	defer func() { // a panic fails only this question
		if problem := recover(); problem != nil { reply = object{"status": "error", "message": fmt.Sprint(problem)} }
	}()
	known := map[any]bool{"rfc2396": true, "rfc2732": true, "rfc3986": true}[q["spec"]] &&
		map[any]bool{nil: true, "URI": true, "URI-reference": true}[q["rule"]] || q["op"] == "resolve"
	text, isText := q[map[any]string{"validate": "url", "parse": "url", "resolve": "base"}[q["op"]]].(string)
	reference, resolves := q["reference"].(string)
	if !known || !isText || resolves != (q["op"] == "resolve") {
		return object{"status": "unsupported", "message": "not this operation, specification, rule or bytes"}
	}
	u, problem := url.Parse(text)
	if problem == nil && resolves { u, problem = u.Parse(reference) }
	if problem == nil && q["rule"] == "URI" && u.Scheme == "" { problem = errors.New("no scheme") }
	if problem != nil { return object{"status": "reject", "message": problem.Error()} }
	parts := object{"scheme": u.Scheme, "userinfo": nil, "host": strings.TrimSuffix(u.Host, ":" + u.Port()),
		"port": u.Port(), "path": u.Opaque + u.EscapedPath(), "query": u.RawQuery, "fragment": u.EscapedFragment()}
	if u.User != nil { parts["userinfo"] = u.User.String() }
	return object{"parse": object{"status": "ok", "components": parts}, "validate": object{"status": "ok"},
		"resolve": object{"status": "ok", "url": u.String()}}[q["op"].(string)].(object)
}
func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout) // which writes each answer at once
	for q := (object{}); in.Decode(&q) == nil && q["type"] != "bye"; q = (object{}) {
		reply := hello
		if q["type"] == "run" { reply = answer(q); reply["id"] = q["id"] }
		out.Encode(reply)
	}
}
