package parallel

import (
	"errors"
	"fmt"
)

// This file: what comes from another machine. Whoever may send it may send anything. What a message can cost is bounded
// by its size, and by the numbers below. Real ones are far from these: docs/decisions/0036-swarm.md says how far.

const (
	// MostItems is how many items a report from elsewhere has at most.
	MostItems = 1 << 20
	// mostCopies bounds what the steps of the items of a message take beside the message itself, in bytes.
	mostCopies = 64 << 20
	// mostOutlines bounds what a report from elsewhere says of the tree, in bytes.
	mostOutlines = 1 << 20
	// mostVerdict bounds the texts of a verdict, in bytes: each report is joined with all of them.
	mostVerdict = 256 << 10
)

// IncomingTask is a task from elsewhere as it is read from JSON. Read makes it one.
type IncomingTask struct {
	Task
	Parts []byte `json:"parts"` // in the place of the task's
}

// Read gives the task, or what is wrong with it.
func (in *IncomingTask) Read() (t *Task, err error) {
	t = &in.Task
	l := &limits{items: mostDealt, steps: mostSteps, copies: mostCopies}
	if t.Parts, err = l.read("parts", in.Parts); err != nil {
		return nil, err
	}
	return t, t.Check()
}

// IncomingReport is a report from elsewhere as it is read from JSON. Read makes it one.
type IncomingReport struct {
	Report
	New    []byte `json:"new"` // these are in the places of the report's
	Beyond []byte `json:"beyond"`
	Kept   []byte `json:"kept"`
	Owed   []byte `json:"owed"`
	Wait   []byte `json:"wait"`
}

// Read gives the report, or what is wrong with it. Whether it closes its task, Closes tells.
func (in *IncomingReport) Read() (r *Report, err error) {
	if len(in.Kept)+len(in.Owed)+len(in.Wait) > 0 {
		return nil, errors.New("says what none of a task says")
	}
	r = &in.Report
	l := &limits{items: MostItems, steps: mostSteps, copies: mostCopies}
	if r.New, err = l.read("new", in.New); err != nil {
		return nil, err
	}
	if r.Beyond, err = l.read("beyond", in.Beyond); err != nil {
		return nil, err
	}
	if len(r.Outlines) > mostOutlines {
		return nil, fmt.Errorf("says of the tree %d bytes: at most %d are read", len(r.Outlines), mostOutlines)
	}
	return r, nil
}

// read reads a list of items, nil for none.
func (l *limits) read(name string, b []byte) (Parts, error) {
	if b == nil {
		return nil, nil
	}
	ps, err := decodeParts(b, l)
	if err != nil {
		return nil, fmt.Errorf("has items (%s) of which the following is wrong: %w", name, err)
	}
	return ps, nil
}
