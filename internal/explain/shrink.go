package explain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: delta debugging of the forced steps to a 1-minimal list. switches.go has fewer switches of actor, by
// moving and swapping what is left.
//
//	source:     [ZH02] A. Zeller, R. Hildebrandt: Simplifying and isolating failure-inducing input, IEEE TSE 28(2), 2002,
//	            ddmin
//	differs:    steps that are dropped are filled in by the default order instead of not happening, so a list is judged
//	            by executing it, never by its parts
//	invariants: I1 every list that is kept gives a violation with the key asked for
//	            I2 the list never grows
//	            I3 at the end no single step can be dropped, unless the bound on replays was reached (Minimal.Bounded) or
//	               the time was up (Minimal.TimeUp)
//	cost:       O(n log n) replays as a rule, O(n*n) at worst, at most MaxMinimising
//	checked by: shrink_test.go on random programs

// MaxMinimising bounds the replays of one Minimise.
const MaxMinimising = 5000

// maxMinimisingSteps bounds the steps of all replays together, so that a livelock of 100,000 steps is not replayed
// 5,000 times.
const maxMinimisingSteps = 5_000_000

// Minimal is the result of Minimise.
type Minimal struct {
	Forced   []trace.Forced
	Run      *replay.Run // of Forced
	Switches int         // of actor, in the execution
	Replays  int
	Bounded  bool // the bound on replays was reached: Forced gives the violation but may not be minimal
	TimeUp   bool // likewise, because there was no time for more; nor was it replayed a second time
}

// Minimise shortens forced to a list of which no single step can be dropped, and reorders it for few switches of actor;
// the violation stays the one with this Key. It confirms the result by a second replay. The error is replay.ErrTimeUp
// if there is no time for the first.
func Minimise(run replay.Runner, forced []trace.Forced, key string) (Minimal, error) {
	return minimise(newMinimiser(run, key), forced)
}

func newMinimiser(run replay.Runner, key string) *minimiser {
	return &minimiser{run: run, key: key, most: MaxMinimising, tried: map[trace.ID]bool{}}
}

func minimise(m *minimiser, forced []trace.Forced) (Minimal, error) {
	ok, err := m.try(forced)
	if err != nil {
		return Minimal{}, err
	}
	if !ok {
		return Minimal{}, fmt.Errorf("minimise: the schedule of %d steps does not give %q again%s", len(forced), m.key,
			m.instead())
	}
	for {
		before := len(m.best)
		if err := m.ddmin(); err != nil {
			return Minimal{}, err
		}
		moved, err := m.fewerSwitches()
		if err != nil {
			return Minimal{}, err
		}
		if m.ends() || !moved && len(m.best) == before {
			break
		}
	}
	if err := m.confirm(); err != nil {
		return Minimal{}, err
	}
	return Minimal{Forced: m.best, Run: m.bestRun, Switches: m.switches, Replays: m.replays, Bounded: m.bounded,
		TimeUp: m.timeUp}, nil
}

// minimiser holds the best list so far (I1, I2).
type minimiser struct {
	run      replay.Runner
	key      string
	tried    map[trace.ID]bool // lists that were executed and were not better
	most     int               // replays
	replays  int
	steps    int
	bounded  bool
	timeUp   bool
	best     []trace.Forced
	bestRun  *replay.Run
	switches int
	last     *replay.Run
}

// try executes the list and keeps it if it gives the violation. Lists that were tried before are not executed again.
func (m *minimiser) try(forced []trace.Forced) (bool, error) {
	return m.tryIf(forced, func(*replay.Run) bool { return true })
}

// tryIf is try with a further condition on the run.
func (m *minimiser) tryIf(forced []trace.Forced, better func(*replay.Run) bool) (bool, error) {
	if m.ends() {
		return false, nil
	}
	name := (&trace.Schedule{Steps: forced}).ID()
	if m.tried[name] {
		return false, nil
	}
	if m.replays >= m.most || m.steps >= maxMinimisingSteps {
		m.bounded = true
		return false, nil
	}
	m.replays++
	r, err := m.run(forced)
	if m.bestRun != nil && errors.Is(err, replay.ErrTimeUp) {
		m.timeUp = true
		return false, nil
	} else if err != nil {
		return false, err
	}
	m.last = r
	m.steps += len(r.Trace.Events)
	if r.With(m.key) == nil || !better(r) {
		m.tried[name] = true
		return false, nil
	}
	m.best, m.bestRun, m.switches = settle(forced, r), r, Switches(r.Trace)
	return true, nil
}

// ends reports whether what there is has to do.
func (m *minimiser) ends() bool { return m.bounded || m.timeUp }

// settle marks the steps that the run could not take. They still decide something, since a step that is to come does
// not fill in for another; but the file is not stale for them.
func settle(forced []trace.Forced, r *replay.Run) []trace.Forced {
	forced = slices.Clone(forced)
	for _, s := range r.Stale {
		forced[s.Number-1].Optional = true
	}
	return forced
}

func (m *minimiser) instead() string {
	if n := len(m.last.Stale); n > 0 {
		return fmt.Sprintf(": %d of its steps could not be taken, first %s", n, m.last.Stale[0])
	}
	if len(m.last.Violations) > 0 {
		return fmt.Sprintf(": it gives %q instead", m.last.Violations[0].Key())
	}
	return ": it passes; does the program make a choice of its own?"
}

// ddmin drops chunks, from everything down to single steps, until no single step can be dropped (I3).
func (m *minimiser) ddmin() error {
	for size := len(m.best); size > 0; {
		dropped, err := m.dropChunks(size)
		if err != nil || m.ends() {
			return err
		}
		size = min(size, len(m.best))
		if !dropped {
			size /= 2
		}
	}
	return nil
}

// dropChunks tries to drop each chunk of that size, last first: what comes late in a schedule matters least.
func (m *minimiser) dropChunks(size int) (dropped bool, err error) {
	for end := len(m.best); end > 0 && !m.ends(); {
		start := max(0, end-size)
		ok, err := m.try(slices.Delete(slices.Clone(m.best), start, end))
		if err != nil {
			return dropped, err
		}
		dropped = dropped || ok
		end = start
	}
	return dropped, nil
}

// confirm replays the result once more and compares: a result that does not repeat is worse than none.
func (m *minimiser) confirm() error {
	if m.timeUp {
		return nil
	}
	m.replays++
	r, err := m.run(m.best)
	if errors.Is(err, replay.ErrTimeUp) {
		m.timeUp = true
		return nil
	} else if err != nil {
		return err
	}
	if d := difference(m.bestRun.Trace, r.Trace); d != "" {
		return fmt.Errorf("minimise: the program made a choice of its own: the minimal schedule was replayed twice and %s", d)
	}
	if r.With(m.key) == nil {
		return fmt.Errorf("minimise: the program made a choice of its own: the minimal schedule gave %q once and not the "+
			"second time", m.key)
	}
	return nil
}

func difference(a, b *trace.Trace) string {
	for e := range min(len(a.Events), len(b.Events)) {
		if d := trace.SameEffects(a, b, e); d != "" {
			return fmt.Sprintf("step %d differed: %s", a.StepNumber(e), d)
		}
	}
	if len(a.Events) != len(b.Events) {
		return fmt.Sprintf("took %d steps and %d", len(a.Events), len(b.Events))
	}
	return ""
}
