package wild

import (
	"fmt"
	"strings"
)

// deed is one thing that a handler does.
type deed struct {
	what string
	to   int    // whom, of the actors known; else a number that says which, how long
	typ  int    // of the letter that is sent; else another number
	then []deed // of a continuation
}

func (d deed) String() string {
	s := fmt.Sprintf("%s(%d,%d)", d.what, d.to, d.typ)
	if len(d.then) > 0 {
		s += fmt.Sprint(d.then)
	}
	return s
}

// What makes an actor act: a letter of one of two types, and what the framework tells it.
const (
	onStart = 2 + iota
	onStopping
	onStopped
	onGone
	onRestarting
	onTimeout
	events
)

var eventNames = [events]string{"letter 0", "letter 1", "start", "stopping", "stopped", "gone", "restarting", "timeout"}

const (
	kinds = 3 // of actors
	modes = 2 // behaviours of an actor
)

// kind is what actors of one type do, and how they are made.
type kind struct {
	handlers [modes][events][]deed
	strategy string // of supervision
	decides  [2]int // directives, for panics of two types
	retries  int
	around   string // what surrounds the actor: middleware, decorators
}

// program is a table of what actors do.
type program struct {
	feature string
	kinds   [kinds]kind
	roots   []int    // the kinds of the actors of set-up
	routers []string // their kinds; they route to the roots, or to a pool
	setUps  [][]deed // what the test does in set-up, in several parts
	first   []deed   // what it does after that
	hops    int      // so many generations of letters
	listens bool     // dead letters and decisions of supervisors are told to the first actor
	guarded bool     // the roots have a guardian
	plain   bool     // nothing that only the framework's own goroutines do in another way: a future has one answer
}

func (p *program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: roots %v, routers %v, %d hops, listens %v, guarded %v, set-up %v, test %v\n", p.feature, p.roots, p.routers, p.hops, p.listens, p.guarded, p.setUps, p.first)
	for i := range p.kinds {
		k := &p.kinds[i]
		fmt.Fprintf(&b, "  kind %d: supervises %q %v %d, around %q\n", i, k.strategy, k.decides, k.retries, k.around)
		for mode := range k.handlers {
			for event, deeds := range k.handlers[mode] {
				if len(deeds) > 0 {
					fmt.Fprintf(&b, "    mode %d on %s: %v\n", mode, eventNames[event], deeds)
				}
			}
		}
	}
	return b.String()
}
