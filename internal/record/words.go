package record

import (
	"fmt"
	"path"
	"strings"
)

// Name is the test as a person would name it: the last element of its package, the function, and which Check of it.
func (r *Record) Name() string {
	name := path.Base(r.Package) + "." + r.Test
	if r.Explored() {
		name = path.Base(r.Package) + " (Explore)"
	}
	if r.Ordinal > 0 {
		name += fmt.Sprintf("#%d", r.Ordinal+1)
	}
	return name
}

// Explored reports whether the record is of an Explore outside of a Check: it belongs to no test, and its findings are
// values that its caller judges.
func (r *Record) Explored() bool { return r.Test == "" }

// Amounts says what the executions are of all that there are, in the word that Check uses with -v.
func (r *Record) Amounts() string {
	switch {
	case r.Complete && r.Faults != "":
		return "complete with faults " + r.Faults
	case r.Complete:
		return "complete"
	case r.Reason == "replayed":
		return "replayed"
	case r.Reason == "error":
		return "error"
	case r.Guided != "":
		far, _, _ := strings.Cut(r.Guided, ",") // without the number of steps filled in
		return far
	case r.Within != "":
		return "complete up to " + r.Within
	case r.Bounded || r.Beyond != "":
		return "bounded"
	}
	return "sampled"
}
