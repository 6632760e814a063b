package session

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells somebody who looks how an exploration goes.

// newsEvery is how often that is told.
const newsEvery = 250 * time.Millisecond

// mostNodes bounds the tree of choices that is told.
const mostNodes = 250_000

// mostStudied is how many violations are investigated when the exploration is over.
const mostStudied = 20

// watch gathers what is told next.
type watch struct {
	s     *Session
	send  func(byhand.News) error
	tree  byhand.Tree
	under string // conditions of the current execution
	began time.Time
	next  time.Time
	told  int           // of s.Raws
	nodes map[int]int32 // where those ended
	last  explore.Counters
}

// explore explores, and tells how it goes and ends.
func (p *Stepper) explore(s *Session) error {
	return s.exploreTelling(func(n byhand.News) error { return p.Send(n) })
}

func (s *Session) exploreTelling(send func(byhand.News) error) error {
	s.All, s.Workers, s.Resume, s.corpus = true, 1, "", nil
	s.watch = &watch{s: s, send: send, tree: byhand.Tree{Most: mostNodes}, began: time.Now()}
	out, err := s.Explore()
	w := s.watch
	if err == nil {
		err = s.Settle(&out)
	}
	if err != nil {
		_ = w.send(byhand.News{Counters: w.last, Error: err.Error()}) // the process ends with the error
		return err
	}
	w.tell()
	took := time.Since(w.began).Seconds()
	w.investigate(took)
	sum := s.Summary(out)
	_ = w.send(byhand.News{Counters: out.Counters, Seconds: took,
		Done: &byhand.Done{Reason: sum.Reason, Complete: sum.Complete, Text: endText(&sum)}})
	return nil
}

// endText says how an exploration ended.
func endText(sum *Summary) string {
	switch {
	case sum.Complete:
		return "complete: every order was executed, or one of each class"
	case sum.OneOrder, sum.ForOneSeed:
		return "everything was executed, but for what Go chooses by itself"
	case sum.Within != "":
		return "complete up to " + sum.Within
	case sum.Reason == "budget":
		return "sampled: the budget is used up"
	case sum.Reason == "complete":
		return "bounded: the strategy has nothing left, but not all that can happen was executed"
	}
	return "ended: " + sum.Reason
}

// conditions is told of the next execution.
func (w *watch) conditions(c *explore.Conditions) {
	h := w.s.Header
	h.Choices = c.Choices
	if h.Layer == LayerNumbers {
		h.Draws, h.Preemptions = c.Draws, c.Preemptions
		if c.Sampled && c.Draws >= 0 { // what was sampled is in the record, and can be asked for
			h.Draws, h.Preemptions = chance.LimitsAll.Draws, chance.LimitsAll.Preemptions
		}
	}
	w.under = byhand.Under(&h, &w.s.Header)
}

// after is told of an execution. again: it was executed once more while Go chose otherwise.
func (w *watch) after(c *explore.Counters, tr *trace.Trace, again bool) {
	w.last = *c
	node := int32(0)
	if !again {
		node = w.tree.Add(tr, w.under)
	}
	if w.nodes == nil {
		w.nodes = map[int]int32{}
	}
	for i := len(w.nodes); i < len(w.s.Raws); i++ {
		w.nodes[i] = node
	}
	if now := time.Now(); now.After(w.next) || len(w.s.Raws) > w.told {
		w.next = now.Add(newsEvery)
		w.tell()
	}
}

// tell sends what is new.
func (w *watch) tell() {
	n := byhand.News{Counters: w.last, Estimate: finite(explore.ReportOf(w.s.strategy).Estimate), Left: w.tree.Left,
		Seconds: time.Since(w.began).Seconds(), Phase: w.s.phase()}
	n.Nodes, n.Leaves = w.tree.News()
	for ; w.told < len(w.s.Raws); w.told++ {
		n.Found = append(n.Found, w.found(w.told))
	}
	err := w.send(n)
	if errors.Is(err, child.ErrEncode) { // of the numbers: the rest is text
		n.Estimate, n.Seconds, n.Error = explore.Estimate{}, 0, "a bug of Rehearse: "+err.Error()
		err = w.send(n)
	}
	if err != nil {
		os.Exit(0) // nobody looks any more
	}
}

// finite is an estimate as JSON can carry it: none, where a part of it is infinite.
func finite(e explore.Estimate) explore.Estimate {
	for _, x := range []float64{e.Total, e.Low, e.High} {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return explore.Estimate{}
		}
	}
	return e
}

// found tells of a violation as it was met.
func (w *watch) found(i int) byhand.Found {
	r := &w.s.Raws[i]
	f := foundOf(&r.Violation, r.execution)
	f.Node = w.nodes[i]
	if r.trace != nil && r.Violation.Kind != trace.Divergence {
		var err error
		f.Schedule, err = encoded(&trace.Schedule{Header: *w.s.headerOf(r), Steps: r.trace.Schedule()}, &r.Violation)
		if err != nil {
			f.Note = "There is no schedule of it: " + err.Error()
		}
	}
	return f
}

func foundOf(v *trace.Violation, execution int) byhand.Found {
	return byhand.Found{Key: v.Key(), Kind: v.Kind.String(), Execution: execution,
		Text: render.Shorten(v.String(), 2*report.PictureText)}
}

// investigate makes small what was found, and tells it again with the order that decides.
func (w *watch) investigate(took float64) {
	for i := range w.s.Raws {
		if w.send(byhand.News{Counters: w.last, Seconds: took, Found: []byhand.Found{w.studied(i)}}) != nil {
			return
		}
	}
}

// studied is a violation made small. Where that did not succeed it is as it was met, with a note that says why.
func (w *watch) studied(i int) byhand.Found {
	met := w.found(i)
	if i >= mostStudied {
		met.Note = fmt.Sprintf("It was not made small: only the first %d are.", mostStudied)
		return met
	}
	r := w.s.Raws[i]
	f, err := w.s.Investigate(r, len(w.s.Raws)-i)
	if err != nil {
		met.Note = "It was not made small: " + err.Error()
		return met
	}
	if f.Schedule == nil {
		met.Note = f.Note
		if f.Violation.Kind != r.Violation.Kind {
			met.Note = strings.TrimSpace("Executed again, it was something else: " + f.Violation.Text + "\n" + f.Note)
		}
		return met
	}
	told := met
	told.Minimal, told.Note, told.Culprit = f.Note == "", f.Note, render.Shorten(f.Culprit, report.PictureText)
	if told.Schedule, err = encoded(f.Schedule, &f.Violation); err != nil {
		met.Note = "It was not made small: " + err.Error()
		return met
	}
	return told
}
