package explore

import "strings"

// Accountable is a System that knows in what it falls short of running a program as it is.
type Accountable interface {
	// Account is asked when an exploration is over.
	Account() Account
}

// Account is what a System did not control, run or look at, in all its executions so far.
type Account struct {
	Uncontrolled string // orders that the program chose, as exactly as is known by now; "" if none but what traces say
	Known        string // what traces say of the same, "" if nothing
	// Uncontrolled is no more than the order of goroutines that handlers start and wait for, which repeats
	Goroutines bool
	// draws of Go's of which only those of one seed were executed, with places; "" if there are none, or they have no
	// numbers
	OneSeed  string
	Bypassed string // what the program brings and the System does not run, a mailbox of its own, say; "" if nothing
	// what people should know of the way in which executions were made, "" if nothing; several with RemarkSeparator
	// between
	Remarks string
}

// RemarkSeparator is what stands between the remarks of an account, and in none of them.
const RemarkSeparator = "; "

// settle takes an account into the outcome. A trace knows of an uncontrolled order before its place is known.
func (o *Outcome) settle(a Account) {
	switch {
	case a.Uncontrolled == "" || strings.HasPrefix(o.Uncontrolled, a.Uncontrolled):
	case o.Uncontrolled == "" || o.Uncontrolled == a.Known || strings.HasPrefix(a.Uncontrolled, o.Uncontrolled):
		o.Uncontrolled = a.Uncontrolled
	default:
		o.Uncontrolled += "; " + a.Uncontrolled
	}
	o.OneOrder = a.Goroutines && o.Uncontrolled == a.Uncontrolled
	o.OneSeed, o.Bypassed, o.Remarks = a.OneSeed, a.Bypassed, a.Remarks
}
