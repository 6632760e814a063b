package source

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// The verdicts of the command.
const (
	verdictCovered     = "covered"
	verdictUnconfirmed = "not confirmed"
	verdictInfeasible  = "infeasible within the bounds"
	verdictGaveUp      = "gave up"
)

// targetAnswer is what is told about one target.
type targetAnswer struct {
	Target  string        `json:"target"`
	Verdict string        `json:"verdict"`
	Why     string        `json:"why,omitempty"`   // it is not covered
	Model   string        `json:"model,omitempty"` // of the way
	Driver  string        `json:"driver,omitempty"`
	Outside []toldMessage `json:"outside,omitempty"`
	Own     bool          `json:"own,omitempty"` // the messages from outside are those of the driver, as they are
	Order   []string      `json:"order,omitempty"`
	Guided  string        `json:"guided,omitempty"`
	Finding *toldFinding  `json:"finding,omitempty"`
	Check   string        `json:"check,omitempty"` // a check of the driver that fails on the way
	Diagram string        `json:"diagram,omitempty"`
	Test    *toldTest     `json:"test,omitempty"`
	Orders  *toldOrders   `json:"orders,omitempty"` // of the messages of the test, where they were explored
	Nearest *toldNearest  `json:"nearest,omitempty"`
	Drivers []toldDriver  `json:"drivers"` // all that were searched from
	Notes   []string      `json:"notes,omitempty"`
	Seconds toldSeconds   `json:"seconds"`

	judged string // the field of the Config that the target is in, "" if it is in none
	target string // the kind of violation that it is, "" for a plain line
}

type toldMessage struct {
	To      string `json:"to"`
	Message string `json:"message"`
}

type toldFinding struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

type toldTest struct {
	Function string `json:"function"`
	File     string `json:"file"` // relative to the current folder
	Source   string `json:"source"`

	path string
}

// toldNearest is the point that came nearest.
type toldNearest struct {
	Steps  []string `json:"steps,omitempty"`
	Blocks []string `json:"blocks,omitempty"`
	Help   string   `json:"help,omitempty"`
}

// toldDriver is what came of the search from one driver.
type toldDriver struct {
	Driver  string   `json:"driver"`
	Ran     bool     `json:"ran,omitempty"` // it was run for real, up to its first message
	Model   string   `json:"model"`
	Verdict string   `json:"verdict"`
	Why     string   `json:"why,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
	Nodes   int      `json:"nodes"`
	Queries int      `json:"queries"`
}

type toldSeconds struct {
	Search  float64 `json:"search"`
	Confirm float64 `json:"confirm"`
}

// reach searches from one driver after the other, until a way is confirmed.
func (r *targetRun) reach(ctx context.Context, t *target.Target, at *reachtest.Line,
	dir string) (*targetAnswer, error) {
	return r.candidate(ctx, t, at, "", func(a *targetAnswer, j *reachtest.Job) (bool, error) {
		if err := r.mayWrite(a.Test.path); err != nil {
			return false, err
		}
		began := time.Now()
		o, err := j.Test.Confirm(ctx, reachtest.Run{Scratch: dir, Timeout: r.timeout}, j.Goal)
		a.Seconds.Confirm += time.Since(began).Seconds()
		if err != nil {
			return false, err
		}
		r.conclude(a, o, at, j.Test)
		return o.Covered, nil
	})
}

// candidate searches from one driver after the other, until a way is taken of which a test can be written.
func (r *targetRun) candidate(ctx context.Context, t *target.Target, at *reachtest.Line, id string,
	take func(*targetAnswer, *reachtest.Job) (bool, error)) (*targetAnswer, error) {
	a := &targetAnswer{Target: t.Name, Notes: r.notes, Verdict: verdictInfeasible, target: at.Kind}
	starts, first := r.concerned(at)
	if t.Check != nil {
		starts = r.judgedBy(t, at)
		a.judged, a.target = map[bool]string{true: "Final", false: "Invariants"}[t.AtEnd], at.Kind
		first = len(starts)
	}
	left := r.config.Timeout
	for i, of := range starts {
		began := time.Now()
		found, d, err := r.from(ctx, of, t, at, shareOf(left, i, first, len(starts)))
		took := time.Since(began)
		left -= took
		a.Seconds.Search += took.Seconds()
		if err != nil {
			return nil, err
		}
		taken := false
		if found.Verdict == target.Found {
			taken, err = r.found(a, &d, found.Way, at, id, take)
		} else {
			a.judge(&d, found)
		}
		if err != nil {
			return nil, err
		}
		if a.Drivers = append(a.Drivers, d); taken {
			return a, nil
		}
	}
	if len(starts) > 0 && t.Check == nil && t.Impossible == "" && len(r.receptionists) == 0 {
		if taken, err := r.unasked(ctx, a, starts, t, at, id, take); err != nil || taken {
			return a, err
		}
	}
	if a.Verdict == verdictUnconfirmed {
		if err := r.otherwise(ctx, a, starts, t, at, id, left, take); err != nil {
			return nil, err
		}
	}
	if len(a.Drivers) == 0 {
		a.Verdict, a.Why = verdictGaveUp, r.unconcerned(t, at)
	}
	return a, nil
}

// shareOf is the part of the time that is left for driver i of all. What one does not need is for those behind it, and
// the first ones leave nothing for the others.
func shareOf(left time.Duration, i, first, all int) time.Duration {
	sharing := all - i
	if i < first {
		sharing = first - i
	}
	return max(left/time.Duration(sharing), time.Millisecond)
}

// from searches from one start, and tells how.
func (r *targetRun) from(ctx context.Context, of concern, t *target.Target, at *reachtest.Line,
	limit time.Duration) (*target.Answer, toldDriver, error) {
	start, c := of.start, r.config
	c.Timeout = limit
	r.conditions(&c, start)
	found, err := r.search(ctx, start, of.in(t), c)
	if err != nil {
		return nil, toldDriver{}, err
	}
	d := toldDriver{Driver: r.place(start.Driver), Ran: start.Driver.Ran != nil, Model: c.Model.String(),
		Nodes: found.Counts.Nodes, Queries: found.Counts.Queries, Reasons: found.Reasons}
	if found.Verdict == target.Infeasible && t.Check == nil && t.Impossible == "" && !r.handled[of.fn] {
		found.Verdict, found.Why = target.GaveUp, "when "+at.Block.Parent().Name()+
			" is called is not followed: no handler calls it by its name"
	}
	return found, d, nil
}

// found takes a way, if a test of it can be written.
func (r *targetRun) found(a *targetAnswer, d *toldDriver, w *system.Way, at *reachtest.Line, id string,
	take func(*targetAnswer, *reachtest.Job) (bool, error)) (taken bool, err error) {
	b := *a
	b.setWay(r, w)
	j, err := r.write(&b, w, at, id)
	if err == nil && j != nil {
		taken, err = take(&b, j)
	}
	d.Verdict, d.Why = b.Verdict, b.Why
	if b.Drivers = a.Drivers; taken || a.Verdict != verdictUnconfirmed {
		*a = b
	}
	return taken, err
}

// search looks for a way with messages such as the driver sends, and where there is none also with others that the
// receptionists ask for. An actor that is sent what only other actors send may be no news to anybody.
func (r *targetRun) search(ctx context.Context, start *system.Start, t *target.Target,
	c target.Config) (*target.Answer, error) {
	known := r.usualOf(start)
	if known == nil || len(r.receptionists) > 0 {
		return r.engine.Reach(ctx, start, t, c)
	}
	c.Timeout /= 2
	found, err := r.engine.Reach(ctx, known, t, c)
	if err != nil || found.Verdict == target.Found {
		return found, err
	}
	nodes, queries := found.Counts.Nodes, found.Counts.Queries
	found, err = r.engine.Reach(ctx, start, t, c)
	if err == nil {
		found.Counts.Nodes += nodes
		found.Counts.Queries += queries
	}
	return found, err
}

// usualOf is a start with those messages from outside alone that the driver sends; nil if there are no others, or none
// of these. It is the same one each time: the engine keeps what it knows of a start.
func (r *targetRun) usualOf(s *system.Start) *system.Start {
	few, ok := r.usual[s]
	if ok {
		return few
	}
	known := *s
	known.Shapes = slices.DeleteFunc(slices.Clone(s.Shapes), func(x system.Shape) bool { return !x.Sent })
	if len(known.Shapes) > 0 && len(known.Shapes) < len(s.Shapes) {
		few = &known
	}
	if r.usual == nil {
		r.usual = map[*system.Start]*system.Start{}
	}
	r.usual[s] = few
	return few
}

// unusual tells of messages that the driver sends nobody of their kind.
func unusual(w *system.Way) (notes []string) {
	for _, e := range w.Outside {
		if slices.ContainsFunc(w.Start.Shapes, func(x system.Shape) bool { return x.Foreign && x.To == e.To }) {
			notes = append(notes, w.Start.Actors[e.To].Name+" has no case for "+
				types.TypeString(e.Type, (*types.Package).Name))
			continue
		}
		known := slices.ContainsFunc(w.Start.Shapes,
			func(x system.Shape) bool { return x.To == e.To && x.Sent && types.Identical(x.Type, e.Type) })
		note := fmt.Sprintf("the driver sends no %s to %s, which asks for them",
			types.TypeString(e.Type, (*types.Package).Name), w.Start.Actors[e.To].Name)
		if !known && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// conditions sets the delivery model, and when timers fire, of a search: as the flags say, else as the driver does.
func (r *targetRun) conditions(c *target.Config, s *system.Start) {
	if c.Model == trace.DefaultModel {
		c.Model = s.Driver.OwnModel()
	}
	c.Async = r.timers == trace.Async.String() || r.timers == "" && s.Driver.Async
}

// worse orders verdicts: what counts where drivers differ.
var worse = []string{verdictInfeasible, verdictGaveUp, verdictUnconfirmed, verdictCovered}

// judge notes what came of a search from one driver that has found nothing.
func (a *targetAnswer) judge(d *toldDriver, found *target.Answer) {
	d.Verdict, d.Why = verdictGaveUp, found.Why
	if found.Verdict == target.Infeasible {
		d.Verdict, d.Why = verdictInfeasible, found.Bounds
	}
	if slices.Index(worse, d.Verdict) > slices.Index(worse, a.Verdict) || a.Nearest == nil && a.Verdict == d.Verdict {
		a.Verdict, a.Why, a.Nearest = d.Verdict, d.Why, nearest(found)
	}
}

func nearest(found *target.Answer) *toldNearest {
	if found.Nearest == nil {
		return nil
	}
	return &toldNearest{Steps: found.Nearest.Steps, Blocks: found.Nearest.Blocks, Help: found.Nearest.Help}
}

// setWay writes down a way.
func (a *targetAnswer) setWay(r *targetRun, w *system.Way) {
	a.Driver, a.Model, a.Nearest = r.place(w.Start.Driver), w.Plan.Model.String(), nil
	a.Outside, a.Order, a.Own = nil, nil, w.Own
	for _, e := range w.Outside {
		a.Outside = append(a.Outside, toldMessage{w.Start.Actors[e.To].Name, types.TypeString(e.Type, (*types.Package).Name)})
	}
	for _, e := range w.Order {
		a.Order = append(a.Order, e.String())
	}
}

// write writes the test of a way; nil if there is none.
func (r *targetRun) write(a *targetAnswer, w *system.Way, at *reachtest.Line, id string) (*reachtest.Job, error) {
	a.Verdict = verdictUnconfirmed
	want := reachtest.Wanted{Way: w, Name: at.Name, ID: id, Command: r.command(at, w), Pin: r.pin, Judged: a.judged}
	if a.judged != "" {
		want.Line = r.textOf(at.Name)
	}
	test, err := reachtest.New(r.loaded, r.system.Exec(), want)
	for n := 2; err == nil && r.beside && n < 100 && r.foreign(filepath.Join(test.Dir, test.File)) != nil; n++ {
		want.ID = fmt.Sprintf("%s_%d", id, n)
		test, err = reachtest.New(r.loaded, r.system.Exec(), want)
	}
	var no *reachtest.Unwritable
	if errors.As(err, &no) {
		a.Why = err.Error()
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for i, text := range test.Sends {
		a.Outside[i].Message = text
	}
	a.Notes = slices.Concat(a.Notes, test.Stay, unusual(w))
	name := test.File
	if r.file != "" {
		name = r.file
	}
	path := filepath.Join(test.Dir, name)
	a.Test = &toldTest{Function: test.Func, File: r.shown(path), path: path}
	g := reachtest.Goal{Blocks: []*ssa.BasicBlock{at.Block}, Kind: at.Kind}
	if at.Kind != "" && at.Pos.IsValid() {
		pos := r.loaded.Fset.Position(at.Pos)
		g.Where = fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line)
	}
	return &reachtest.Job{Test: test, Goal: g}, nil
}

// conclude notes what the real program says.
func (r *targetRun) conclude(a *targetAnswer, o *reachtest.Outcome, at *reachtest.Line, t *reachtest.Test) {
	a.Guided, a.Diagram, a.Why = o.Guided, o.Diagram, o.Why
	if o.Covered {
		a.Verdict = verdictCovered
	}
	for i, text := range t.Sends { // they may be requests since
		a.Outside[i].Message = text
	}
	a.goesWrong(o.Finding, at)
	a.Test.Source = string(o.Content)
}

// goesWrong notes a violation. A check of the driver may be about the messages that the driver sends; so it is a
// finding only where it is the target. An invariant is one of all states: where it fails, that is a finding.
func (a *targetAnswer) goesWrong(f *record.Finding, at *reachtest.Line) {
	a.Finding, a.Check = nil, ""
	switch {
	case f == nil:
	case at.Kind != f.Kind && ofDriver(f.Kind, f.Text):
		a.Check = f.Text
	default:
		a.Finding = &toldFinding{f.Kind, f.Text}
	}
}

// ofDriver reports whether a violation is a check that a driver or an actor makes by itself: no invariant, of which
// package check says so first in its text.
func ofDriver(kind, text string) bool {
	return kind == trace.Assertion.String() && !strings.HasPrefix(text, "invariant ")
}

// command writes the arguments that find a way again, in the folder of the line's file.
func (r *targetRun) command(at *reachtest.Line, w *system.Way) string {
	args := []string{"-model=" + w.Plan.Model.String(), "-driver=" + w.Start.Driver.Entry.Name()}
	if w.Async {
		args = append(args, "-timers=async")
	}
	r.flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "model", "timers", "driver", "n", "json", "o", "timeout", "receptionist", "assume", "panics", "checks", "blocks",
			"dead", "diff", "uncovered", "sample", "seed", "for", "orders":
		default:
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	for _, name := range r.receptionists {
		args = append(args, "-receptionist="+name)
	}
	for _, cond := range r.config.Assume {
		args = append(args, "-assume="+cond)
	}
	return gentest.FormatCommand(append(args, filepath.Base(at.Name)))
}

func (r *targetRun) shown(path string) string {
	if rel, err := filepath.Rel(r.dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		path = rel
	}
	return filepath.ToSlash(path)
}
