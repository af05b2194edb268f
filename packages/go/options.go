package urlconform

import "flag"

var updateFlag = flag.Bool("urlconform.update", false, "write the files of known failures")

// An Option configures [Run].
type Option func(*config)

type config struct {
	specs         []string
	tellsEmpty    bool
	knownFailures string
	update        bool
}

// Specs names the RFCs by which the library is tested, such as "rfc3986". By
// default these are all RFCs.
func Specs(specs ...string) Option {
	return func(c *config) { c.specs = specs }
}

// TellsEmptyFromAbsent says that the answers of the library tell an empty
// component from an absent one: http://h? has an empty query, and http://h has
// none. Without this option, nil and "" are equal in its answers, and an answer
// with a component that has to be empty is only partial.
func TellsEmptyFromAbsent() Option {
	return func(c *config) { c.tellsEmpty = true }
}

// KnownFailures names the file that lists the known failures of the library. A
// file that does not exist lists none.
func KnownFailures(file string) Option {
	return func(c *config) { c.knownFailures = file }
}

// Update makes [Run] write the file of known failures if update is true, as the
// flag -urlconform.update does. It is for tests with a flag of their own.
func Update(update bool) Option {
	return func(c *config) { c.update = c.update || update }
}
