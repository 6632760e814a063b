package sample

import (
	"fmt"
	"strconv"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

const (
	defaultDepth = 3
	maxDepth     = 1000
)

// PCT is probabilistic concurrency testing. Every thread has a random priority, and the enabled step of the highest is
// taken. At d-1 places, drawn from as many as an execution has steps, the thread that would go on falls below all
// others. A bug that needs d steps in one order is found by one execution in n*k^(d-1) at least, with n threads and k
// steps.
//
// A thread is what has one step enabled at a time. Where mailboxes decide what an actor takes next, that is the actor,
// and a timer that may fire. Elsewhere it is a chain of messages: one that nobody sent in a handler, one that its
// handler sent, one that was sent in the handler of that. The least identity among what a handler sends goes on with
// the chain; the others begin chains of their own. Since causes are a forest, these are as many chains as there are
// messages without effects, and no fewer could be.
//
//	source:     [PCT10] for actors; [PCTCP18] for chains, which are found while the program runs
//	differs:    a thread falls before it takes the step of the place, where [PCT10] lets it fall after it took one, so
//	            that the first message of a chain can be put off too. Places are counted in steps that are taken, also
//	            with chains. Chains are those of causality alone, which is a forest: [PCTCP18] allows any partial order
//	            and then needs up to the square of the least number of chains; what the models fifo and causal order
//	            besides makes ours no fewer. Values that the program chooses and faults are drawn uniformly, they are no
//	            steps
//	            With the option first the places of all executions are drawn among as many steps as execution 0 has.
//	            So an execution depends on the seed and its number alone, and processes can share them (first.go)
//	assumes:    k, the most steps of an execution so far; the first execution has no such places
//	invariants: I1 a thread that has fallen is below all that have not, and stays where it fell to, however often it
//	               takes a step
//	cost:       a hash for every enabled step, a chain for every message; d times that at a place
//	checked by: pct_test.go: the exact probability of each schedule of small forests, by going through all priorities and
//	            places
type PCT struct {
	sampler
	search.FirstSteps
	depth   int
	actors  bool     // are the threads
	initial trace.ID // what the priorities at the beginning are hashed from
	step    int
	places  []int            // of each fall: the step
	fallen  map[trace.ID]int // threads, to which place
	chains  []trace.ID       // by message
	events  int              // so many were looked at
}

var (
	_ explore.Binder   = (*PCT)(nil)
	_ explore.Numbered = (*PCT)(nil)
	_ explore.Sharer   = (*PCT)(nil)
	_ explore.Reporter = (*PCT)(nil)
)

// NewPCT makes the strategy for bugs of a depth, which is 1 or more.
func NewPCT(depth int, seed uint64) *PCT {
	return &PCT{sampler: sampler{seed: seed}, depth: depth, places: make([]int, depth-1), fallen: map[trace.ID]int{}}
}

// ParsePCT makes the strategy whose depth is the word behind "pct/"; "" is 3. It may be followed by "/first".
func ParsePCT(words string, seed uint64) (*PCT, error) {
	word, first := search.CutFirst(words)
	depth, err := defaultDepth, error(nil)
	if word != "" {
		depth, err = strconv.Atoi(word)
	}
	if err != nil || depth < 1 || depth > maxDepth {
		return nil, fmt.Errorf("unknown depth %q: want how many steps a bug needs in one order, from 1 to %d, as in pct/3, "+
			"and maybe first behind it, as in pct/3/first", words, maxDepth)
	}
	p := NewPCT(depth, seed)
	p.On, p.FirstAlone = first, first
	return p, nil
}

// PCTWords are what may follow the slash in the name.
func PCTWords() []string { return []string{"depth of bugs", "depth of bugs/first"} }

// Name is "pct/" and the depth, and the option.
func (p *PCT) Name() string { return fmt.Sprintf("pct/%d%s", p.depth, p.Suffix()) }

// Report is explore.Reporter.
func (p *PCT) Report() explore.Report { return p.ReportOf(fmt.Sprintf("pct/%d", p.depth), p.number) }

// Learn notes that execution 0 is over.
func (p *PCT) Learn(*trace.Trace, bool) { p.First.Learn(p.number) }

// Bind learns what a thread is.
func (p *PCT) Bind(e explore.Env) error {
	p.actors = e.Conditions.Model.Queues()
	return nil
}

// Start draws the places.
func (p *PCT) Start() bool {
	if !p.sampler.Start() {
		return false
	}
	p.initial = p.base.With(forPriority)
	p.step, p.events, p.chains = 0, 0, p.chains[:0]
	clear(p.fallen)
	for i := range p.places {
		p.places[i] = -1
		if p.Longest > 0 {
			p.places[i] = int(p.base.With(forPoint).With(uint64(i)).Hi % uint64(p.Longest))
		}
	}
	return true
}

// Choose takes the step of the highest thread, after those have fallen that fall here.
func (p *PCT) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind.Chooses() {
		return explore.Choice{Index: p.uniform(enabled)}
	}
	p.follow(tr)
	best := p.highest(tr, enabled)
	for i, place := range p.places {
		if place == p.step {
			p.fallen[p.thread(tr, &enabled[best])] = i
			best = p.highest(tr, enabled)
		}
	}
	p.step++
	p.FirstSteps.Step(p.number, p.step)
	return explore.Choice{Index: best}
}

// highest gives the step whose thread has the highest priority; of one thread the first in the default order.
func (p *PCT) highest(tr *trace.Trace, enabled []trace.Step) int {
	best, most := 0, uint64(0)
	for i := range enabled {
		at := p.priority(p.thread(tr, &enabled[i]))
		if i == 0 || at > most || at == most && enabled[i].Before(&enabled[best]) {
			best, most = i, at
		}
	}
	return best
}

// priority is random and has its highest bit set, until the thread falls.
func (p *PCT) priority(thread trace.ID) uint64 {
	if len(p.fallen) > 0 {
		if i, ok := p.fallen[thread]; ok {
			return uint64(i)
		}
	}
	return p.initial.WithID(thread).Hi | 1<<63
}

// thread gives the thread of a step.
func (p *PCT) thread(tr *trace.Trace, s *trace.Step) trace.ID {
	switch {
	case p.actors && s.Kind != trace.Timer:
		return tr.Actors[s.Actor].ID
	case !p.actors && s.Message >= 0:
		return p.chains[s.Message]
	}
	return s.ID
}

// follow continues the chains by what was sent since.
func (p *PCT) follow(tr *trace.Trace) {
	if p.actors {
		return
	}
	for m := len(p.chains); m < len(tr.Messages); m++ {
		p.chains = append(p.chains, tr.Messages[m].ID)
	}
	for ; p.events < len(tr.Events); p.events++ {
		e := &tr.Events[p.events]
		if len(e.Sent) == 0 || e.Step.Message < 0 || e.Step.Kind.Chooses() {
			continue
		}
		first := e.Sent[0]
		for _, m := range e.Sent[1:] {
			if tr.Messages[m].ID.Less(tr.Messages[first].ID) {
				first = m
			}
		}
		p.chains[first] = p.chains[e.Step.Message]
	}
}
