package source

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// writable fails if no file can be made beside the drivers: that is told before anything is searched for.
func (f *fillRun) writable() error {
	if f.preview || f.json {
		return nil
	}
	done := map[string]bool{}
	for _, s := range f.starts {
		dir := filepath.Dir(f.loaded.Fset.Position(s.Driver.Entry.Pos()).Filename)
		if done[dir] {
			continue
		}
		done[dir] = true
		probe, err := os.CreateTemp(dir, ".rehearse-fill-*")
		if err != nil {
			return fmt.Errorf("no test can be written to %s, beside its driver: %w; -n says what would be written",
				f.shown(dir), errors.Unwrap(err))
		}
		probe.Close()
		if err := os.Remove(probe.Name()); err != nil {
			return err
		}
	}
	return nil
}

// batch is how many ways are executed together: what the first tests reach by the way is not searched for.
const batch = 12

// filling is a test that is kept, or may be.
type filling struct {
	of      *gap
	answer  *targetAnswer
	way     string // as wayOf gives it
	job     reachtest.Job
	line    *reachtest.Line
	reaches []*ssa.BasicBlock // of those that are open
}

// gap is a block or a check that is searched for, perhaps several times.
type gap struct {
	*target.Listed
	id      string          // of its tests
	given   time.Duration   // for the last search
	refused map[string]bool // the ways of which the program has gone none
}

// tests searches for ways to what is open, and gives the tests that are kept. If the time is too short for all, each
// block has a small part of -seconds first, then more. What is near costs little, and what others reach by the way
// costs nothing.
func (f *fillRun) tests(ctx context.Context, s cli.Streams, open []*target.Listed) (kept []*filling, err error) {
	checks := f.checksLeft()
	if len(open)+len(checks) == 0 {
		return nil, nil
	}
	f.until = time.Now().Add((time.Until(f.deadline) - f.spare(0)) / 2)
	switch err := f.drive(ctx); {
	case err == nil:
	case len(f.starts) == 0 && !time.Now().Before(f.until):
		for _, t := range slices.Concat(open, checks) {
			f.report.leave(t, f.late(&gap{Listed: t}))
		}
		return nil, nil
	case len(open) > 0, errors.Is(err, errNoReceptionist): // what was asked for is wrong, also where only checks are left
		return nil, err
	default: // every block is executed: only of the checks nothing is known
		for _, t := range checks {
			f.report.leave(t, verdictGaveUp+": "+oneLine(err.Error()))
		}
		return nil, nil
	}
	if err := f.writable(); err != nil {
		return nil, err
	}
	search, stop := untilInterrupted(ctx)
	defer stop()
	h := &hunt{fillRun: f, open: open, reached: map[*ssa.BasicBlock]bool{}, said: s.Err, last: time.Now()}
	todo := gapsOf(slices.Concat(open, checks))
	for slice := f.firstSlice(len(todo)); len(todo) > 0; slice = min(4*slice, f.most()) {
		if todo, err = h.round(ctx, search, todo, slice); err != nil {
			return nil, err
		}
	}
	return h.kept, nil
}

// gapsOf names the tests of blocks and checks by their places: a line may have several.
func gapsOf(open []*target.Listed) (list []*gap) {
	names := map[string]bool{}
	for _, t := range open {
		id := fmt.Sprintf("_%d", t.Place.Column)
		for n := 2; names[t.Name+id]; n++ {
			id = fmt.Sprintf("_%d_%d", t.Place.Column, n)
		}
		names[t.Name+id] = true
		list = append(list, &gap{Listed: t, id: id, refused: map[string]bool{}})
	}
	return list
}

// hunt is the search for all that is open.
type hunt struct {
	*fillRun
	open    []*target.Listed
	reached map[*ssa.BasicBlock]bool
	waiting []*filling // to be executed
	kept    []*filling

	said io.Writer
	last time.Time // that something was said
}

// round searches once for each block, for so long, and gives those to search for again. The time was too short for
// them, or the program does not go the way that was found.
func (h *hunt) round(ctx, search context.Context, todo []*gap, slice time.Duration) (again []*gap, err error) {
	for i, p := range todo {
		h.progress(fmt.Sprintf("%d of %d blocks are done, next is %s, for %v", i, len(todo), p.Name,
			slice.Round(10*time.Millisecond)))
		switch left := time.Until(h.deadline) - h.spare(len(h.kept)+len(h.waiting)); {
		case h.reached[p.Block]:
			continue
		case search.Err() != nil:
			h.report.leave(p.Listed, verdictGaveUp+": "+whyInterrupted)
			continue
		case left <= 0:
			h.report.leave(p.Listed, h.late(p))
			continue
		default:
			h.config.Timeout = min(slice, left)
		}
		c, retry, err := h.candidateOf(search, p)
		p.given = slice
		if err != nil {
			return nil, err
		}
		if search.Err() != nil {
			fmt.Fprintf(h.said, "interrupted: %d of %d blocks were searched for; what was found is executed now, and written "+
				"(a second interrupt ends at once)\n", i, len(todo))
		}
		if retry && slice < h.most() {
			again = append(again, p)
		}
		if c == nil {
			continue
		}
		if h.waiting = append(h.waiting, c); len(h.waiting) == batch {
			missed, err := h.execute(ctx)
			if again = append(again, missed...); err != nil {
				return nil, err
			}
		}
	}
	missed, err := h.execute(ctx)
	return append(again, missed...), err
}

// execute executes the tests that wait, and gives the blocks that they do not reach.
func (h *hunt) execute(ctx context.Context) (missed []*gap, err error) {
	if len(h.waiting) == 0 {
		return nil, nil
	}
	h.progress(fmt.Sprintf("%d tests are executed", len(h.waiting)))
	began := time.Now()
	more, missed, err := h.confirm(ctx, h.waiting, h.open, h.reached)
	h.kept, h.waiting = append(h.kept, more...), nil
	h.costs.confirm = time.Since(began)
	return missed, err
}

// progress says something, if nothing was said for ten seconds.
func (h *hunt) progress(text string) {
	if now := time.Now(); now.Sub(h.last) > 10*time.Second {
		h.last = now
		fmt.Fprintf(h.said, "%s; %d tests so far, %v left\n", text, len(h.kept),
			max(0, h.deadline.Sub(now)).Round(time.Second))
	}
}

// late says that the time for everything was over before one block was searched for long enough.
func (f *fillRun) late(p *gap) string {
	why := "gave up: the time for all searches was over (-for " + f.whole.String() + ")"
	if p.given > 0 {
		why += fmt.Sprintf(", after %v for each", p.given.Round(10*time.Millisecond))
	}
	return why
}

// candidateOf searches for a way to a block. There is none if it is nil, which the report then says, and whether more
// time may help.
func (f *fillRun) candidateOf(ctx context.Context, p *gap) (c *filling, retry bool, err error) {
	c = &filling{of: p, line: &reachtest.Line{Name: f.loaded.Position(posOf(p.Listed)), Block: p.Block, Pos: p.Pos,
		Kind: kindOf(p.Listed)}}
	began := time.Now()
	a, err := f.candidate(ctx, &p.Target, c.line, p.id, func(a *targetAnswer, j *reachtest.Job) (bool, error) {
		if p.refused[wayOf(a)] {
			return false, nil
		}
		c.job = *j
		return true, nil
	})
	spent := time.Since(began)
	if err != nil {
		return nil, false, err
	}
	if c.job.Test == nil {
		if len(p.refused) == 0 { // else it is known why
			f.report.leave(p.Listed, a.Verdict+": "+oneLine(a.Why))
		}
		// a part of the search has at least an eighth
		return nil, a.Verdict == verdictGaveUp && spent > f.config.Timeout/10, nil
	}
	a.Target = blockName(p.Listed)
	c.answer, c.way = a, wayOf(a)
	return c, false, nil
}

// wayOf tells ways apart.
func wayOf(a *targetAnswer) string { return fmt.Sprint(a.Driver, a.Model, a.Own, a.Outside, a.Order) }

// confirm executes tests, and gives those that execute a block which none before them does, and the blocks of those
// that do not execute theirs.
func (f *fillRun) confirm(ctx context.Context, list []*filling, open []*target.Listed,
	reached map[*ssa.BasicBlock]bool) (kept []*filling, missed []*gap, err error) {
	var jobs []reachtest.Job
	for _, c := range list {
		c.job.Goal.Also = nil
		linked := f.linked(c.job.Test)
		for _, t := range open {
			if linked[t.Block.Parent().Pkg.Pkg.Path()] {
				c.job.Goal.Also = append(c.job.Goal.Also, t.Block)
			}
		}
		jobs = append(jobs, c.job)
	}
	outcomes, err := reachtest.ConfirmAll(ctx, reachtest.Run{Scratch: f.scratch,
		Timeout: min(f.timeout, max(time.Until(f.deadline), shortest)), Until: f.deadline}, jobs)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range list {
		f.conclude(c.answer, outcomes[i], c.line, c.job.Test)
		if c.answer.Verdict != verdictCovered {
			f.report.leave(c.of.Listed, c.answer.Verdict+": "+oneLine(c.answer.Why))
			c.of.refused[c.way] = true
			missed = append(missed, c.of)
			continue
		}
		c.reaches = append(outcomes[i].Also, c.line.Block)
		adds := false
		for _, b := range c.reaches {
			adds, reached[b] = adds || !reached[b], true
		}
		if adds {
			kept = append(kept, c)
		}
	}
	return kept, missed, nil
}

// linked gives the paths of the packages that a test is linked with.
func (f *fillRun) linked(t *reachtest.Test) map[string]bool {
	var own []*types.Package
	for _, pkg := range f.loaded.Packages {
		if pkg.PkgPath == t.Path {
			own = append(own, pkg.Types)
		}
	}
	return load.Linked(own...)
}
