// Package urlconform tests a URL library by RFC 1738, 1808, 2396, 2732, 3986
// and 3987.
//
// The package embeds some twenty thousand questions about URLs, each with
// every answer that its RFC admits and the section that says so. A test asks
// them as subtests:
//
//	type netURL struct{}
//
//	func (netURL) Name() string { return "net/url" }
//
//	func (netURL) Resolve(q urlconform.Question) (string, error) {
//		base, err := url.Parse(q.Base)
//		if err != nil {
//			return "", err
//		}
//		target, err := base.Parse(q.Reference)
//		if err != nil {
//			return "", err
//		}
//		return target.String(), nil
//	}
//
//	func TestURL(t *testing.T) {
//		urlconform.Run(t, netURL{}, urlconform.Specs("rfc3986"), urlconform.KnownFailures("testdata/urlconform.json"))
//	}
//
// A library offers an operation by implementing its interface: [Validator],
// [Parser], [Resolver] and so on. It is not asked for other operations.
//
// The subtests are named RFC/SECTION/CASE, so that
//
//	go test -run 'TestURL/rfc3986/5.2'
//
// runs section 5.2 of RFC 3986 and the sections below it. With -short, cases
// with texts of more than 1,024 characters are left out.
//
// # Known failures
//
// A library that is not perfect lists its failures in a file (see
// [KnownFailures]). The test then fails if a case fails that is not in the
// list, if it fails in another way, and if a case of the list passes.
//
//	go test -run TestURL -urlconform.update
//
// writes the file. It has the schema urlbaseline-2, as the files of the command
// urlconform have.
package urlconform
