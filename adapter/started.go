package adapter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file counts the goroutines that are started in each step. Those that are over when their handler is have left
// no other trace.

// ofGoroutines is what a System knows of the goroutines that its program starts, over all executions. Nothing of it is
// forgotten.
type ofGoroutines struct {
	lookout  goroutine.Lookout
	strays   string // who starts goroutines, "" if nobody does
	starter  string // which actor that is
	outlived bool   // a goroutine outlived the handler that started it
	ordered  bool   // goroutines were started whose orders are draws
	leftAt   string // where goroutines were started that outlived executions, "" if none are known
	looked   int    // executions in which they were looked for
	theirs   int    // executions after which all that was left was the framework's
}

// countStarted is called at the end of a step, with the lock.
func (g *goroutines) countStarted() {
	later := g.started.Started()
	n := g.begun + later
	if !goroutine.Countable() {
		n = g.outlasting // others leave no trace, which a remark says (notCounted)
	}
	if n == 0 {
		return
	}
	switch g.act {
	case actAdvance:
		// The functions of timers run on goroutines of their own. Those of the framework are known, those of the
		// program are not.
		if n > g.timers.known-g.timers.knownTimers() {
			g.sys.lookout.Alarm()
		}
	case actTest, actWake, actHandle, actAnswer, actFault:
		if n > g.recorder.announced {
			g.recorder.announced += g.newlyKept()
		}
		if g.ordersGoroutines(later) {
			if n > g.recorder.announced {
				g.sys.ordered = true
				g.noteBesideLock()
			}
			return
		}
		g.sys.lookout.Alarm()
		if n > g.recorder.announced {
			g.startsGoroutine()
			// While a handler waits, its goroutines run beside those that come.
			g.sys.outlived = g.sys.outlived || g.cast.blocked > 0 || g.outlasting > g.recorder.announced
		}
	}
}

// ordersGoroutines reports whether the orders of the goroutines that the step has started are draws: draws have
// numbers, and each of these goroutines has ended when its handler did. later is how many were started when the
// step's own handler was over: by a handler that it has woken. One that waited for the answer which the step has
// brought may have ended, too.
func (g *goroutines) ordersGoroutines(later int) bool {
	if g.draws == layerOne || !g.alone || g.outlasting > 0 || g.phase != exploring && g.phase != settingUp {
		return false
	}
	return later == 0 || (g.act == actAnswer || g.act == actWake) && !g.cast.actors[g.running].busy
}

// startsGoroutine notes that the handler that runs starts a goroutine.
func (g *goroutines) startsGoroutine() {
	g.uncontrolled("starts a goroutine in its handler")
	if g.sys.strays == "" {
		g.sys.starter = g.tr.ActorName(g.running)
		g.sys.strays = g.sys.starter + " starts a goroutine in its handler"
	}
}

// notCounted says what nobody looks for where goroutines cannot be counted.
const notCounted = "goroutines that are over when their handler is were not looked for: Go counts them since " +
	"version 1.26"

// noteLeft notes the goroutines of the program that a cut execution, or one with blocked handlers, leaves behind.
// They wait for ever and decide nothing, but take memory. A dump of all stacks is slow, so that only the first such
// executions are looked at.
func (s *System) noteLeft() {
	if s.looked == maxLooked {
		return
	}
	s.looked++
	if left := leftBehind(); s.leftAt == "" {
		s.leftAt = strings.Join(s.placesOf(left), ", ")
	}
}

const maxLooked = 8

// leavesTheirs notes what an execution leaves behind if the framework has started all of it, and reports whether it
// has. Nobody can end that, and it waits for ever: the program is none the worse.
func (s *System) leavesTheirs(left []string) bool {
	for _, g := range left {
		_, by, _ := strings.Cut(g, "\ncreated by ")
		if s.framework.Owner(by) == "" {
			return false
		}
	}
	if len(left) > 0 {
		s.theirs++
		s.leftAt = strings.Join(s.placesOf(left), ", ")
	}
	return len(left) > 0
}

// Account is explore.Accountable.
func (s *System) Account() explore.Account {
	a := explore.Account{Uncontrolled: s.strays, Known: s.strays, Bypassed: s.bypassed}
	if p := s.lookout.Places(); p != "" {
		switch {
		case s.strays == "":
			a.Uncontrolled = "a goroutine is started where a timer fires or a message is sent to nobody"
		case s.lookout.Theirs():
			a.Uncontrolled = "the framework starts a goroutine in a step of " + s.starter
		}
		a.Uncontrolled += ", at " + p
	}
	a.Goroutines = s.strays != "" && !s.outlived && !s.reordered && !s.lookout.Theirs() && chance.Available()
	if s.outlived && s.strays != "" && !s.lookout.Theirs() {
		a.Uncontrolled += "; goroutines outlive the handlers that start them, or go on while these wait"
	}
	a.OneSeed = s.explorer.Unexplored()
	if s.loosened != "" {
		a.Uncontrolled, a.Known, a.Goroutines = joined(s.loosened, a.Uncontrolled), s.loosened, false
	}
	remarks := s.unmatched()
	if s.ordered {
		remarks = append(remarks, "handlers start goroutines that end with them: "+chance.OrdersExplored)
	}
	remarks = append(remarks, chance.Remarks()...)
	if !goroutine.Countable() {
		remarks = append(remarks, notCounted)
	}
	if f, ok := s.framework.(Remarking); ok && f.Remark() != "" {
		remarks = append(remarks, f.Remark())
	}
	if s.leftAt != "" {
		advice := ": stop them in a T.Cleanup"
		if s.theirs > 0 {
			advice = ", where nobody can stop them"
		}
		remarks = append(remarks, fmt.Sprintf("goroutines outlived their executions (started at %s)%s", s.leftAt, advice))
	}
	a.Remarks = strings.Join(remarks, explore.RemarkSeparator)
	return a
}

// joined puts two texts together, of which the second may be empty.
func joined(first, second string) string {
	if second == "" {
		return first
	}
	return first + explore.RemarkSeparator + second
}

// placesOf gives the places where the goroutines of a dump were started ("worker.go:12"), each once.
func (s *System) placesOf(stacks []string) (places []string) {
	for _, g := range stacks {
		_, by, _ := strings.Cut(g, "\ncreated by ")
		function, at, ok := strings.Cut(by, "\n\t")
		if !ok {
			continue
		}
		function, _, _ = strings.Cut(function, " in goroutine ")
		at, _, _ = strings.Cut(at, " ")
		if f := s.parse(g).frames; goroutine.IsLauncher(function) && len(f) > 0 {
			function, at = f[len(f)-1].function, f[len(f)-1].place
		}
		if at = s.lookout.Place(function, at); !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	return places
}

// startedHere gives the places where this goroutine has started others that are alive.
func (s *System) startedHere() []string {
	by := fmt.Sprintf(" in goroutine %d\n", goroutine.ID())
	return s.placesOf(slices.DeleteFunc(allStacks(), func(g string) bool {
		_, created, ok := strings.Cut(g, "\ncreated by ")
		return !ok || !strings.Contains(created, by) || strings.Contains(created, "/internal/goroutine.Go in ") // ours
	}))
}
