package chance

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file makes what Go chooses by itself a choice of the exploration, for a System whose runtime numbers its draws
// (numbered.go). Go chooses where a loop over a map begins, which ready case a select takes, and which goroutine goes
// on.
//
// A part is what code of the program runs between two choices of the exploration. Before a part, the System asks for
// the draws that are known of exactly this beginning of an execution; the answers are the script of the part. A draw
// beyond the script takes its default, and is found in the log afterwards. The System then begins the execution, or
// the step, anew: this time the draw is known.
//
//	source:     own. Differs: a search that runs first and asks later would make an execution less for each draw; but
//	            then what a step does would be recorded before the choice that decides it, and every reduction would have
//	            to know
//	assumes:    a part draws the same after the same beginning, script and seed; a log that says otherwise is reported
//	            (Contradiction)
//	invariants: I1 the strategy is asked for a draw only with the values that it has
//	            I2 what is known is forgotten between executions only
//	cost:       one begun execution (or step, where steps are taken back) for each part that draws after a beginning that
//	            is new
//	checked by: internal/tests/agree/draws_test.go: random programs against a brute-force enumeration

const (
	widest = 64      // values of a draw that are asked for at most
	enough = 1 << 18 // draws that are remembered
)

// Explorer is what a System knows of the draws of a program, over all executions of an exploration.
type Explorer struct {
	// Passes reports whether a draw always takes its default, and nothing is said of it: it makes no difference to
	// the program. nil: no draw does.
	Passes func(*Draw) bool

	limits Limits
	seed   uint64 // of draws that are not asked for; 0: they take Go's default
	known  map[trace.ID]Draw
	pass   map[trace.ID]bool // those of them that Passes

	ids      []trace.ID // the events of the present execution for which there are keys
	keys     []trace.ID // what comes before the end of each event
	same     int        // so many of them, from the first, are known to be those of the present execution
	looked   int        // events that were compared with those; for tests
	opened   int        // events before the present part
	key      trace.ID   // what comes before its next draw, if it is keyed: parts that draw nothing need none
	keyed    bool
	differs  bool // Differ was called
	script   []uint32
	steps    []trace.Step // of the script
	asked    []Draw
	recorded []Draw       // of the part that was closed
	values   []trace.Step // buffer of Next
	passed   int          // of the script, that nobody is asked for
	part     bool         // one is being run
	drew     bool         // there were draws, in any execution
	checks   checks
	ends     ends
	sampled  bool // Conditions.Sampled

	unexplored    map[string]bool // places of draws that nobody was asked for
	contradiction string
}

// Prepare begins an exploration.
func (x *Explorer) Prepare() {
	x.known, x.unexplored, x.contradiction = nil, map[string]bool{}, ""
}

// Reset begins an execution, the first events of which, so many, are those of the last one. As many draws of a part
// are asked for as the conditions say, and the others follow the seed.
func (x *Explorer) Reset(c *explore.Conditions, kept int) {
	if x.known == nil || len(x.known) > enough {
		x.known, x.pass = map[trace.ID]Draw{}, map[trace.ID]bool{}
	}
	if c.Choices != x.seed {
		x.ids, x.keys = x.ids[:0], x.keys[:0] // they are of another seed
	}
	x.limits, x.seed, x.part, x.sampled = Limits{c.Draws, c.Preemptions}, c.Choices, false, c.Sampled
	x.ends = ends{forced: c.EndDraws}
	x.Back(kept)
}

// Back says that the events from this one on were taken back: others may follow.
func (x *Explorer) Back(event int) { x.same = min(x.same, event) }

// Open begins a part that goes on after the last event of tr.
func (x *Explorer) Open(tr *trace.Trace) {
	x.script, x.steps, x.asked, x.passed = x.script[:0], x.steps[:0], x.asked[:0], 0
	x.opened, x.keyed, x.differs = len(tr.Events), false, false
}

// Differ has the part be another one than that which may begin after the same events.
func (x *Explorer) Differ() { x.differs = true }

// findKey sets the key of the open part, unless it is set.
func (x *Explorer) findKey(tr *trace.Trace) {
	if x.keyed {
		return
	}
	x.key, x.keyed = x.after(tr.Events[:x.opened]), true
	if x.differs {
		x.key = x.key.With(1 << 40) // which no value is
	}
}

// Next gives the values of the next known draw as steps, nil if there is none. They are valid until the next call.
func (x *Explorer) Next(tr *trace.Trace, event int32) []trace.Step {
	if len(x.known) == 0 {
		return nil
	}
	x.findKey(tr)
	for x.pass[x.key] && !x.asksAll() {
		x.asked = append(x.asked, x.known[x.key])
		x.passed++
		x.Take(trace.Step{})
	}
	d, ok := x.known[x.key]
	if !ok || len(x.script)-x.passed >= x.limits.Draws {
		return nil
	}
	x.asked = append(x.asked, d)
	x.values = x.values[:0]
	for v := range d.N {
		s := tr.DrawStep(event, int(v))
		tr.NameDraw(s, naming(&d, v))
		x.values = append(x.values, s)
	}
	return x.values
}

// Take adds the value that was chosen to the script.
func (x *Explorer) Take(s trace.Step) {
	x.script, x.steps = append(x.script, uint32(s.Value)), append(x.steps, s)
	x.key = x.key.With(uint64(s.Value) + 1)
}

// Run has Go choose by the script from here on.
func (x *Explorer) Run(id trace.ID) {
	x.part = true
	Begin(id.Hi^x.seed, id.Lo, x.script, x.seed != 0, x.limits.Preemptions)
}

// Running reports whether a part is being run.
func (x *Explorer) Running() bool { return x.part }

// Close ends a part. again: it has drawn what was not known, so it has to be run again. explored is false where the
// strategy was not asked for anything, as in set-up; what is drawn there follows the seed.
func (x *Explorer) Close(tr *trace.Trace, explored bool) (again bool) {
	x.part = false
	log, unnumbered := End(), UnnumberedDraws()
	x.drew = x.drew || len(log) > 0 || unnumbered.Numbers > 0
	if !x.follows(log) {
		return false
	}
	for i := range x.asked {
		if x.steps[i].ID == (trace.ID{}) {
			continue
		}
		// Of a goroutine the place is that of the one that goes on.
		tr.NameDraw(x.steps[i], naming(&log[i], log[i].Value))
	}
	if unnumbered != (Unnumbered{}) {
		x.leaveUnnumbered(unnumbered, "")
	}
	if len(x.script) < len(log) {
		x.findKey(tr)
	}
	for i := len(x.script); i < len(log); i++ {
		d := log[i]
		if x.sampled && explored && i-x.passed >= x.limits.Draws && !again {
			x.record(log[i:])
			break
		}
		passes := x.passes(&d)
		if !explored || !passes && (i-x.passed >= x.limits.Draws || d.N > widest) {
			x.leave(log[i:])
			break
		}
		x.known[x.key] = d
		if passes {
			x.pass[x.key] = true
			x.passed++
		}
		x.key = x.key.With(uint64(d.Value) + 1)
		again = again || !passes || d.Value > 0
	}
	return again
}

// Drop ends a part of whose draws nothing is noted.
func (x *Explorer) Drop() {
	x.part = false
	End()
}

// record keeps the draws that are to be choices of the execution. Behind one that no replay could ask for they follow
// the seed in a replay too.
func (x *Explorer) record(log []Draw) {
	for i := range log {
		if log[i].N > widest || i >= LimitsAll.Draws {
			x.leave(log[i:])
			break
		}
		x.recorded = append(x.recorded, log[i])
	}
}

// Sampled reports whether draws follow the seed of the execution and are told afterwards.
func (x *Explorer) Sampled() bool { return x.sampled }

// Recorded calls f for the draws of the part that was closed, where they are Sampled. f gives the step by which one
// takes its value, and makes it happen.
func (x *Explorer) Recorded(tr *trace.Trace, f func(value int) trace.Step) {
	for i := range x.recorded {
		d := &x.recorded[i]
		tr.NameDraw(f(int(d.Value)), naming(d, d.Value))
	}
	x.recorded = x.recorded[:0]
}

// follows compares the log with the script.
func (x *Explorer) follows(log []Draw) bool {
	for i := range x.asked {
		want := &x.asked[i]
		switch {
		case i >= len(log):
			x.contradiction = fmt.Sprintf("%s was drawn from before, and not when the same steps were taken again",
				place(want))
		case log[i].N != want.N || log[i].Kind != want.Kind || log[i].Value != x.script[i]:
			x.contradiction = fmt.Sprintf("%s had %d values before, and %s %d when the same steps were taken again",
				place(want), want.N, place(&log[i]), log[i].N)
		default:
			continue
		}
		return false
	}
	return true
}

// leave notes draws that nobody was asked for.
func (x *Explorer) leave(log []Draw) {
	for i := range log {
		if !x.passes(&log[i]) {
			x.leaves(place(&log[i]))
		}
	}
}

func (x *Explorer) passes(d *Draw) bool { return x.Passes != nil && !x.asksAll() && x.Passes(d) }

// asksAll reports whether draws that Passes are choices too: those of an execution that samples have taken other
// values than the default, and are in its record.
func (x *Explorer) asksAll() bool { return x.sampled || x.limits.Draws >= explore.AllDraws }

// leaveUnnumbered notes draws that have no numbers.
func (x *Explorer) leaveUnnumbered(u Unnumbered, in string) {
	for _, w := range []struct {
		n    uint64
		what string
	}{{u.Numbers, "random numbers"}, {u.Maps, "maps of more than 8 entries"}, {u.Lost, "more than can be written down"},
		{u.Spent, fmt.Sprintf("goroutines that are preempted more than %d times", x.limits.Preemptions)}} {
		if w.n > 0 {
			x.leaves(w.what + in)
		}
	}
}

func (x *Explorer) leaves(what string) {
	if x.unexplored == nil {
		x.unexplored = map[string]bool{}
	}
	x.unexplored[what] = true
}

// Unexplored names the draws of which one sample was executed, "" if there are none.
func (x *Explorer) Unexplored() string {
	return strings.Join(slices.Sorted(maps.Keys(x.unexplored)), ", ")
}

// Drew reports whether anything was drawn, in any execution so far.
func (x *Explorer) Drew() bool { return x.drew }

// Leaves reports whether there are any.
func (x *Explorer) Leaves() bool { return len(x.unexplored) > 0 }

// Contradiction says where a part drew otherwise than after the same beginning before, "" if none did.
func (x *Explorer) Contradiction() string { return x.contradiction }

// after is the key of what has happened before a part: all these events, in their order, and the seed.
func (x *Explorer) after(events []trace.Event) trace.ID {
	n := min(len(x.ids), len(events))
	same := min(x.same, n)
	for ; same < n && x.ids[same] == events[same].Step.ID; same++ {
		x.looked++
	}
	x.ids, x.keys, x.same = x.ids[:same], x.keys[:same], len(events)
	key := trace.ID{Hi: x.seed, Lo: 1}
	if same > 0 {
		key = x.keys[same-1]
	}
	for i := same; i < len(events); i++ {
		key = key.WithID(events[i].Step.ID)
		x.ids, x.keys = append(x.ids, events[i].Step.ID), append(x.keys, key)
	}
	return key
}

// place names a draw: what kind, and where.
func place(d *Draw) string {
	if of := owner(d); of != "" {
		return "goroutine of the " + of
	}
	return d.Kind.String() + " at " + siteOf(d)
}

// owner names whose goroutine goes on, if it is not one that the program has started.
func owner(d *Draw) string {
	switch f := d.Frame().Function; {
	case d.Kind != Goroutine:
	case goroutine.IsRehearse(f):
		return "handler"
	case strings.HasPrefix(f, "testing.") || strings.HasPrefix(f, "testing/"):
		return "test"
	}
	return ""
}

func siteOf(d *Draw) string {
	f := d.Frame()
	if strings.HasSuffix(f.Function, "/adapter.Point") {
		return "the send of a message"
	}
	if f.File == "" {
		if g := runtime.FuncForPC(d.Site[0]); d.Kind == Goroutine && g != nil {
			return g.Name() // of the standard library, as time.AfterFunc and sync.WaitGroup.Go
		}
		return "an unknown place"
	}
	if OfLibrary(f) { // whose lines say nothing
		name, _, _ := strings.Cut(f.Function, ".func") // of a function literal, or a call that is deferred
		name, _, _ = strings.Cut(name, ".deferwrap")
		return name
	}
	return fmt.Sprintf("%s:%d", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
}

// naming says what value v of a draw means.
func naming(d *Draw, v uint32) string {
	at := siteOf(d)
	switch d.Kind {
	case Map:
		if key := d.Key(); key != "" && v == d.Value {
			return fmt.Sprintf("the map's order at %s begins with %s", at, key)
		}
		return fmt.Sprintf("the map's order at %s begins at place %d of %d", at, v+1, d.N)
	case Select:
		return fmt.Sprintf("the select at %s takes ready case %d of %d", at, v+1, d.N)
	case Goroutine:
		if of := owner(d); of != "" {
			return fmt.Sprintf("goroutine %d of %d goes on, the %s's own", v+1, d.N, of)
		}
		return fmt.Sprintf("goroutine %d of %d goes on, started at %s", v+1, d.N, at)
	case Timer:
		return fmt.Sprintf("the timer at %s fires in place %d of %d equal ones, counted from the last", at, v+1, d.N)
	}
	if v == 0 {
		return "nobody else goes on at " + at
	}
	return "another goroutine goes on at " + at
}
