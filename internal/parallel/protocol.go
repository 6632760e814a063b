package parallel

import (
	"encoding/binary"
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// Part is an item with the number that the coordinator gave it.
type Part struct {
	ID    int    `json:"id"`
	Steps []byte `json:"steps,omitempty"` // 16 bytes each
	Rest  []byte `json:"rest,omitempty"`
	// of a new item of a report: where in the tree it lies, for the estimate
	Spot search.Spot `json:"-"`
}

func newPart(item explore.Item) Part {
	p := Part{Rest: item.Rest}
	for _, id := range item.Steps {
		p.Steps = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(p.Steps, id.Hi), id.Lo)
	}
	return p
}

func (p *Part) item() (explore.Item, error) {
	item := explore.Item{Rest: p.Rest}
	if err := p.check(); err != nil {
		return item, err
	}
	for b := p.Steps; len(b) > 0; b = b[perStep:] {
		item.Steps = append(item.Steps, trace.ID{Hi: binary.BigEndian.Uint64(b), Lo: binary.BigEndian.Uint64(b[8:])})
	}
	return item, nil
}

func (p *Part) check() error {
	if len(p.Steps)%perStep != 0 {
		return fmt.Errorf("item %d has %d bytes of steps: want %d each", p.ID, len(p.Steps), perStep)
	}
	return nil
}

// depth is the number of forced steps.
func (p *Part) depth() int { return len(p.Steps) / perStep }

// Lease is what a worker is given to do: execute these items, the last one first, and report when one of the bounds is
// reached.
type Lease struct {
	Parts      Parts  `json:"parts,omitempty"`
	Executions int    `json:"executions,omitempty"` // at most so many; 0: no bound
	Budget     int    `json:"budget,omitempty"`     // the same with those for draws of final checks; 0: no bound
	Millis     int    `json:"millis,omitempty"`     // report after about so long
	Least      int    `json:"least,omitempty"`      // milliseconds before it yields; 0: few
	Told       []byte `json:"told,omitempty"`       // what other leases have learned (explore.Sharer)
	Careful    bool   `json:"careful,omitempty"`    // keep the crash journal: these items may be deadly
	Yield      bool   `json:"yield,omitempty"`      // nothing new: report soon, others are idle
	// with Yield: there is nothing more to do, so that what cannot be ended soon is given up
	Stop bool `json:"stop,omitempty"`
}

// Sum is what was counted, and what keeps it from being everything.
type Sum struct {
	explore.Counters
	explore.Verdict
	Chosen  int  `json:",omitempty"` // steps that were chosen, of careful leases
	Unsound bool `json:",omitempty"` // the strategy says that something was left out; so is what a deadly item had left
}

func (s *Sum) add(o *Sum) {
	s.Executions += o.Executions
	s.Blocked += o.Blocked
	s.Classes += o.Classes
	s.States += o.States
	s.Deliveries += o.Deliveries
	s.Replayed += o.Replayed
	s.Rechecked += o.Rechecked
	s.Depth = max(s.Depth, o.Depth)
	s.Redrawn += o.Redrawn
	s.Chosen += o.Chosen
	s.Unsound = s.Unsound || o.Unsound
	s.Verdict.Join(&o.Verdict)
}

// flawless reports whether what was executed stands for all that can happen on its way.
func (s *Sum) flawless() bool {
	return !s.Unsound && s.Flawless()
}

// Found is a violation with the schedule of the execution that showed it.
type Found struct {
	Violation trace.Violation `json:"violation"`
	Schedule  string          `json:"schedule,omitempty"` // as in a schedule file; "" if there is none
	// that found it, from 1: in a report of this lease, in a tally in the order of reports
	Execution int    `json:"execution"`
	CutShort  int    `json:"cut_short,omitempty"` // of the executions before it
	Output    string `json:"output,omitempty"`    // of a process that died: its last lines
}

// Report is what came of a lease, in whole: the items that are done, what they left, and what their executions counted
// and found.
type Report struct {
	Done []int `json:"done,omitempty"`
	New  Parts `json:"new,omitempty"`  // numbered by the coordinator
	Last int   `json:"last,omitempty"` // the last number given to them, or before
	// what becomes a task together, of the new items; none: whoever hands them out decides
	Tasks []Batch `json:"tasks,omitempty"`
	// new items too, which are beyond the budget: nobody is to execute them now (explore.Numbered)
	Beyond Parts `json:"beyond,omitempty"`
	// the item that is done because its first execution kills its process; 0: none is
	Deadly int   `json:"deadly,omitempty"`
	Kept   Parts `json:"kept,omitempty"` // nodes with nothing left, and items below them (explore.Joiner)
	Owed   Parts `json:"owed,omitempty"` // what was found for nodes above the items
	// what the items have learned that they were not told (explore.Sharer)
	Learned []byte `json:"learned,omitempty"`
	// of a snapshot: what was found for items that are open, and waits until they are done
	Wait Parts `json:"wait,omitempty"`
	// for the estimate: what was executed of the items that are done, and what their finished branches teach, in the
	// form of package search
	Outlines []byte            `json:"outlines,omitempty"`
	Growth   []byte            `json:"growth,omitempty"`
	Sum      Sum               `json:"sum"`
	Found    []Found           `json:"found,omitempty"`
	Warned   []trace.Violation `json:"warned,omitempty"`
	GaveUp   explore.Counters  `json:"gave_up"` // executed of items that were given up, and stay open
	// the new items that were sent before it do not count: all items of the lease were given up
	Void bool `json:"void,omitempty"`

	grown   search.Growth // that Growth is made of
	left    []int         // of the lease, not done
	opened  []int         // by adding it to the tally
	suspect *suspect      // nil: the items were trusted
}

// word is a line from a worker: one of these is set.
type word struct {
	Ready  bool    `json:"ready,omitempty"`
	At     int     `json:"at,omitempty"`   // the item that it begins to execute: the first, and each of a careful lease
	Ran    bool    `json:"ran,omitempty"`  // it has executed the program for the first time
	More   Parts   `json:"more,omitempty"` // new items, of the report that comes
	Report *Report `json:"report,omitempty"`
	Error  string  `json:"error,omitempty"` // an operating problem: it gives up
}
