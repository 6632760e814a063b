package explore

import (
	"cmp"
	"slices"
	"strings"
)

// Verdict is what keeps the executions of an exploration from standing for all that can happen. The zero Verdict keeps
// them from nothing.
type Verdict struct {
	// orders that the program chose, "" if none; several with RemarkSeparator between
	Uncontrolled string `json:",omitempty"`
	// Uncontrolled is no more than the order of goroutines that handlers start and wait for, which repeats
	OnlyGoroutines bool `json:",omitempty"`
	// what the program brings and the system does not run (a mailbox of its own, say), "" if nothing
	Bypassed string `json:",omitempty"`
	// what people should know of the way in which executions were made, "" if nothing; several with RemarkSeparator
	// between
	Remarks string `json:",omitempty"`
	Beyond  string `json:",omitempty"` // a timer that was left out because it is due after the horizon, "" if none
	Bounded bool   `json:",omitempty"` // an execution exceeded the bound on steps, the time or the memory, and was cut
	// FailNow ended an execution whose failure counts as no violation, or that stands for others
	Ended    bool `json:",omitempty"`
	Diverged bool `json:",omitempty"` // the program did not repeat an execution
	// what an actor or a message held only the first time when an execution was repeated, "" if nothing
	Varied string `json:",omitempty"`
	// of a strategy that takes steps of different actors to be independent: memory that they share, "" if none was seen
	Shared string `json:",omitempty"`
	// functions, channels and the like behind which nobody could look for shared memory, with ", " between them
	Unseen string `json:",omitempty"`
	// of a strategy with a bound of its own: up to where everything was executed ("3 deviations"), "" if that is all or
	// nothing
	Within     string `json:",omitempty"`
	PassedOver string `json:",omitempty"` // what the strategy leaves out although a check looks at it, "" if nothing
	// Drawn says how an execution went otherwise when only what Go chooses by itself was changed (the order of a map,
	// select, random numbers), "" if none did.
	Drawn string `json:",omitempty"`
	// OneSeed says what Go chose by itself in one way only, although each of its choices is known: "map at bank.go:12"; ""
	// if nothing, or if they are not known.
	OneSeed string `json:",omitempty"`
	// steps or checks draw random numbers of Go's: they range over maps or make them, or use math/rand
	Draws bool `json:",omitempty"`
}

// Flawless reports whether what was executed stands for all that can happen on its way.
func (v *Verdict) Flawless() bool {
	return v.Uncontrolled == "" && v.OneSeed == "" && v.sound()
}

// sound is Flawless but for what the program chooses by itself although it repeats: the order of goroutines, and Go's
// choices.
func (v *Verdict) sound() bool {
	return !v.Bounded && !v.Ended && !v.Diverged && v.Varied == "" && v.Drawn == "" && v.Shared == "" &&
		v.Bypassed == "" && v.Beyond == "" && v.PassedOver == ""
}

// Join adds the verdict on another part of the same exploration. The order in which parts are joined decides nothing.
func (v *Verdict) Join(o *Verdict) {
	v.OnlyGoroutines = (v.OnlyGoroutines || o.OnlyGoroutines) && !v.hasOtherOrders() && !o.hasOtherOrders()
	v.Uncontrolled = orders(v.Uncontrolled, o.Uncontrolled)
	v.Bypassed = least(v.Bypassed, o.Bypassed)
	v.Remarks = union(v.Remarks, o.Remarks, RemarkSeparator)
	v.Beyond = least(v.Beyond, o.Beyond)
	v.Bounded = v.Bounded || o.Bounded
	v.Ended = v.Ended || o.Ended
	v.Diverged = v.Diverged || o.Diverged
	v.Varied = least(v.Varied, o.Varied)
	v.Shared = least(v.Shared, o.Shared)
	v.Unseen = Union(v.Unseen, o.Unseen)
	v.Within = least(v.Within, o.Within)
	v.PassedOver = least(v.PassedOver, o.PassedOver)
	v.Drawn = least(v.Drawn, o.Drawn)
	v.OneSeed = Union(v.OneSeed, o.OneSeed)
	v.Draws = v.Draws || o.Draws
}

// hasOtherOrders reports whether the program chose more than the order of goroutines.
func (v *Verdict) hasOtherOrders() bool { return v.Uncontrolled != "" && !v.OnlyGoroutines }

// Judge says how much the Verdict leaves of an exploration in which everything was executed, or not.
func (o *Outcome) Judge(everything bool) {
	o.Complete = everything && o.Flawless()
	o.ForOneSeed = everything && o.OneSeed != "" && o.Uncontrolled == "" && o.sound()
	o.OneOrder = everything && o.Uncontrolled != "" && o.OnlyGoroutines && o.OneSeed == "" && o.sound()
}

// maxOrders is how many different orders that the program chose are told: each part may name other actors.
const maxOrders = 4

// orders joins two texts of Uncontrolled. What another one begins with, as a place is known late, is left out.
func orders(a, b string) string {
	if a == b || a == "" || b == "" {
		return cmp.Or(a, b)
	}
	all := strings.Split(union(a, b, RemarkSeparator), RemarkSeparator)
	told := all[:0]
	for i, text := range all {
		if i == len(all)-1 || !strings.HasPrefix(all[i+1], text) {
			told = append(told, text)
		}
	}
	return strings.Join(told[:min(len(told), maxOrders)], RemarkSeparator)
}

// least is the lesser text that is not empty.
func least(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// Union gives what is in one of two lists, each with ", " between its elements.
func Union(a, b string) string { return union(a, b, ", ") }

func union(a, b, separator string) string {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	all := append(strings.Split(a, separator), strings.Split(b, separator)...)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), separator)
}
