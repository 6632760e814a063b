package source

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// targetLists say which targets there are, if it is not one line.
type targetLists struct {
	panics, checks, blocks, dead bool
	revision, profile            string
	sample                       int
	seed                         uint64
}

func (r *targetRun) addLists(fs *flag.FlagSet) {
	fs.BoolVar(&r.list.panics, "panics", false,
		"targets: where actors may panic without saying so, as at nil pointers, indices, maps, divisions")
	fs.BoolVar(&r.list.checks, "checks", false,
		"targets: where actors panic, or fail a check of a test; errors of its invariants and final check")
	fs.BoolVar(&r.list.blocks, "blocks", false, "targets: all blocks of actors")
	fs.BoolVar(&r.list.dead, "dead", false, "targets: where actors send messages that may reach nobody: dead letters")
	fs.StringVar(&r.list.revision, "diff", "",
		"targets: blocks of actors on lines that differ from this `revision` of git")
	fs.StringVar(&r.list.profile, "uncovered", "",
		"targets: blocks of actors that this `file`, a coverage profile of go test, says were not executed")
	fs.IntVar(&r.list.sample, "sample", 0, "take `number` of the targets, spread over the types of actors; "+
		"default: all. Alone: of all blocks and implicit panics")
	fs.Uint64Var(&r.list.seed, "seed", 1, "`seed` of the sample")
}

// lists reports whether many targets are asked for.
func (r *targetRun) lists() bool {
	return r.list.panics || r.list.checks || r.list.blocks || r.list.dead || r.list.revision != "" ||
		r.list.profile != "" || r.list.sample > 0
}

// checkLists says what is wrong with the flags of lists.
func (r *targetRun) checkLists() error {
	n := 0
	for _, is := range []bool{r.list.panics, r.list.checks, r.list.blocks, r.list.dead, r.list.revision != "",
		r.list.profile != ""} {
		if is {
			n++
		}
	}
	switch {
	case n > 1:
		return errors.New("-panics, -checks, -blocks, -dead, -diff and -uncovered: want at most one")
	case r.file != "" || r.preview:
		return errors.New("-o and -n are for one line: of many targets nothing is written")
	case r.list.sample < 0:
		return fmt.Errorf("-sample %d: want at least 1", r.list.sample)
	}
	return nil
}

// all searches for ways to many targets, and confirms them together.
func (r *targetRun) all(ctx context.Context, s cli.Streams, patterns []string) (int, error) {
	var err error
	if r.dir, err = os.Getwd(); err != nil {
		return 0, err
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if r.loaded, err = gentest.Load(r.dir, patterns); err != nil {
		return 0, err
	}
	for _, problem := range r.loaded.Problems {
		fmt.Fprintln(s.Err, problem)
	}
	store := term.NewStore()
	solver, err := r.solver.make(store)
	if err != nil {
		return 0, err
	}
	defer solver.Close()
	r.begin(store, solver)
	targets, err := r.targets(ctx)
	if err != nil {
		return 0, err
	}
	if err := r.drive(ctx); err != nil {
		return 0, err
	}
	if r.starter != nil {
		return r.share(ctx, s, targets)
	}
	answers, err := r.answers(ctx, untilInterrupted, s.Err, numbered(targets))
	if err != nil {
		return 0, err
	}
	return r.tellAll(s, answers)
}

// wanted is a target that is searched for, with its number among all.
type wanted struct {
	*target.Listed
	number int
}

func numbered(targets []*target.Listed) (list []wanted) {
	for i, t := range targets {
		list = append(list, wanted{t, i})
	}
	return list
}

// targets lists those that were asked for.
func (r *targetRun) targets(ctx context.Context) (list []*target.Listed, err error) {
	l := target.NewLister(ctx, r.loaded, r.system.Summaries())
	switch {
	case r.list.panics:
		list = l.Panics()
	case r.list.checks:
		list = l.Checks()
	case r.list.blocks:
		list = l.Blocks()
	case r.list.dead:
		list = l.DeadLetters()
	case r.list.revision != "":
		list, err = l.Changed(ctx, r.list.revision)
	case r.list.profile == "": // a sample of what the experiment of [TAP18] draws from
		list = slices.Concat(l.Blocks(), l.Panics())
	default:
		var f *os.File
		if f, err = os.Open(r.list.profile); err != nil {
			return nil, fmt.Errorf("-uncovered: %w: `go test -coverpkg=./... -coverprofile=%s ./...` writes such a file",
				err, r.list.profile)
		}
		defer f.Close()
		list, err = l.Uncovered(f)
	}
	if err != nil {
		return nil, err
	}
	if why := l.Without(); why != "" && slices.ContainsFunc(list, func(t *target.Listed) bool { return t.Panic }) {
		r.notes = append(r.notes, withoutFacts(why))
	}
	if len(list) == 0 {
		return nil, errors.New("there are no such targets in the code of actors of these packages")
	}
	if r.list.sample > 0 {
		return target.Sample(list, r.list.sample, r.list.seed)
	}
	return list, nil
}

// answers searches for targets, then runs the tests of all. until gives the context of the search.
func (r *targetRun) answers(ctx context.Context, until func(context.Context) (context.Context, func()), w io.Writer,
	targets []wanted) ([]*targetAnswer, error) {
	dir, remove, err := files.TempFolder("rehearse-target")
	if err != nil {
		return nil, err
	}
	defer remove()
	search, stop := until(ctx)
	answers, waiting, err := r.candidates(search, w, targets)
	stop()
	if err != nil {
		return nil, err
	}
	var jobs []reachtest.Job
	for _, c := range waiting {
		jobs = append(jobs, c.job)
	}
	outcomes, err := reachtest.ConfirmAll(ctx, reachtest.Run{Scratch: dir, Timeout: r.timeout}, jobs)
	for k, o := range outcomes {
		a := waiting[k].answer
		r.conclude(a, o, waiting[k].at, jobs[k].Test)
		last := &a.Drivers[len(a.Drivers)-1]
		last.Verdict, last.Why = a.Verdict, a.Why
	}
	return answers, err
}

// unconfirmed is an answer whose test was not run yet.
type unconfirmed struct {
	answer *targetAnswer
	at     *reachtest.Line
	job    reachtest.Job
}

// candidates searches for all, until somebody interrupts it.
func (r *targetRun) candidates(search context.Context, w io.Writer, targets []wanted) (answers []*targetAnswer,
	waiting []*unconfirmed, err error) {
	last := time.Now()
	for i, t := range targets {
		if search.Err() != nil {
			answers = append(answers, &targetAnswer{Target: t.Name, Verdict: verdictGaveUp, Why: whyInterrupted, Notes: r.notes})
			continue
		}
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Fprintf(w, "%d of %d targets are done, next is %s\n", i, len(targets), t.Name)
		}
		c := &unconfirmed{at: r.lineOf(t.Listed)}
		c.answer, err = r.candidate(search, &t.Target, c.at, fmt.Sprintf("_%d", t.number+1),
			func(_ *targetAnswer, j *reachtest.Job) (bool, error) {
				c.job, waiting = *j, append(waiting, c)
				return true, nil
			})
		if err != nil {
			return nil, nil, err
		}
		if answers = append(answers, c.answer); search.Err() != nil {
			fmt.Fprintf(w, "interrupted: %d of %d targets were searched for; what was found is executed now, and told (a "+
				"second interrupt ends at once)\n", i, len(targets))
			if c.answer.Verdict == verdictGaveUp {
				c.answer.Why = whyInterrupted
			}
		}
	}
	return answers, waiting, nil
}

// lineOf is where a target is, which gets its name.
func (r *targetRun) lineOf(t *target.Listed) *reachtest.Line {
	at := &reachtest.Line{Name: r.loaded.Position(posOf(t)), Block: t.Block, Pos: t.Pos, Kind: kindOf(t)}
	if at.Kind == "" {
		t.Name = fmt.Sprintf("%s:%d", at.Name, t.Place.Column) // a line may have several blocks
	}
	return at
}

// posOf is the first place of a target.
func posOf(t *target.Listed) token.Pos {
	if t.Pos.IsValid() {
		return t.Pos
	}
	for _, in := range t.Block.Instrs {
		if in.Pos().IsValid() {
			return in.Pos()
		}
	}
	return t.Block.Parent().Pos()
}

// kindOf is the kind of violation that a target is.
func kindOf(t *target.Listed) string {
	switch {
	case t.Check != nil:
		return trace.Assertion.String() // until it is known how a driver asks it
	case t.Kind == "assertion":
		return t.Kind
	case t.Dead:
		return trace.DeadLetter.String()
	case t.Panic:
		return "panic"
	}
	return ""
}

// tellAll prints a line for each target, and counts.
func (r *targetRun) tellAll(s cli.Streams, answers []*targetAnswer) (int, error) {
	code := cli.ExitOK
	counts := map[string]int{}
	for _, a := range answers {
		counts[a.Verdict]++
		switch {
		case a.Verdict == verdictCovered && a.fails():
			code = cli.ExitFound
		case a.Verdict != verdictCovered && code == cli.ExitOK:
			code = exitNotCovered
		}
	}
	if r.json {
		enc := json.NewEncoder(s.Out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return code, enc.Encode(answers)
	}
	for _, a := range answers {
		line := fmt.Sprintf("%-12s %s", a.Verdict, a.Target)
		if a.Finding != nil {
			line += ": " + a.Finding.Text
		} else if a.Why != "" {
			line += ": " + strings.Join(strings.Fields(a.Why), " ")
		}
		fmt.Fprintln(s.Out, line)
	}
	fmt.Fprintln(s.Out, rowOf(answers, counts))
	list(s.Out, "notes:", r.notes)
	return code, nil
}

// rowOf is what came of all targets, and what the searches took, as rows of `rehearse reproduce tap` tell it.
func rowOf(answers []*targetAnswer, counts map[string]int) string {
	var parts []string
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %s", percent(counts[v], len(answers)), v))
	}
	var seconds []float64
	total := 0.0
	for _, a := range answers {
		seconds = append(seconds, a.Seconds.Search)
		total += a.Seconds.Search
	}
	slices.Sort(seconds)
	return fmt.Sprintf("%d targets: %s; seconds of a search: median %.2f, all %.0f",
		len(answers), strings.Join(parts, ", "), seconds[len(seconds)/2], total)
}
