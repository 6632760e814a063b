package source

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// The bounds of all settings.
const (
	tapMessages = 8 // that are handled
	// as many steps has the paper's engine: one of its steps is a statement, one of ours a handler
	tapTimes   = 10
	tapCreated = 4 // actors that handlers create
	// of one search, as in the paper. Steps are to end it long before: where they do not, the table may not repeat
	tapLimit = 10 * time.Minute
)

// tapProject is a package with its targets.
type tapProject struct {
	targetRun
	run     *tapRun
	path    string
	paths   []string // of its packages, more than one where they are one program
	scratch string
	store   *term.Store
	solver  solve.Solver
	lister  *target.Lister
	targets []*target.Listed
	tap     *tap.Program
	results []*tapResult
	known   tapKnown
	load    time.Duration
	confirm time.Duration
	graphs  time.Duration                 // message flow graphs of starts, for the paper's engine
	outcome map[string]*reachtest.Outcome // of tests, by what they do
	nth     map[*target.Listed]int        // of several of one name
}

func (p *tapProject) close() { p.solver.Close() }

// tapResult is what a setting makes of a target.
type tapResult struct {
	Setting    string  `json:"setting"`
	Seed       uint64  `json:"seed,omitempty"` // of its chances, if it has any
	Package    string  `json:"package"`
	Target     string  `json:"target"`
	Panic      string  `json:"panic,omitempty"` // of an implicit panic: which kind
	Known      string  `json:"known,omitempty"` // what executions of tests say: "executed", "faults", "ending" or ""
	Nth        int     `json:"nth,omitempty"`   // of several targets of one name, from 0
	Verdict    string  `json:"verdict"`
	Why        string  `json:"why,omitempty"`
	Reason     string  `json:"reason,omitempty"` // Why without names and places
	Driver     string  `json:"driver,omitempty"`
	Steps      int     `json:"steps"`
	Queries    int     `json:"queries"`
	Claims     int     `json:"claims"`     // ways that were found
	Spurious   int     `json:"spurious"`   // ways that are followed to their end, and do not lead to the target
	Unfollowed int     `json:"unfollowed"` // ways that the program does not go, or whose test does not run
	Uncounted  int     `json:"uncounted"`  // ways that are followed, where no counter tells whether the target is executed
	Unsure     int     `json:"unsure"`     // ways that do not, and whose conditions depend on what is not modelled, as on functions of the library: nobody has claimed that they do
	Actors     int     `json:"actors,omitempty"`
	Messages   int     `json:"messages,omitempty"`
	Outside    int     `json:"outside,omitempty"`
	Seconds    float64 `json:"seconds,omitempty"` // of the search
	Walked     bool    `json:"walked,omitempty"`  // not covered, but where the driver is executed as it is
	Late       bool    `json:"late,omitempty"`    // the clock has ended a search, and not a budget that repeats
}

// all searches for all targets in all settings.
func (p *tapProject) all(ctx context.Context, s cli.Streams) error {
	if len(p.targets) == 0 {
		return nil
	}
	if err := p.learn(ctx, s); err != nil {
		return err
	}
	if err := p.drive(ctx); err != nil {
		p.notes = append(p.notes, err.Error())
	}
	if slices.ContainsFunc(p.run.chosen, func(setting string) bool { return setting != ours }) {
		var err error
		if p.tap, err = tap.New(p.loaded); err != nil {
			return err
		}
	}
	p.outcome = map[string]*reachtest.Outcome{}
	return p.pursue(ctx, s)
}

// pursue searches for all targets in all settings, and executes what was found, until all are covered or no driver is
// left. What the settings find is compiled together, a batch at a time. A target is told once nothing more comes of it,
// so that a run that is interrupted has told all that it knows.
func (p *tapProject) pursue(ctx context.Context, s cli.Streams) error {
	began := time.Now()
	var list []*pursuit
	for i, t := range p.targets {
		for _, setting := range p.run.chosen {
			for _, seed := range p.run.seedsOf(setting) {
				list = append(list, p.pursuit(t, setting, seed, i))
			}
		}
	}
	open := slices.DeleteFunc(slices.Clone(list), func(x *pursuit) bool { return x.was })
	for len(open) > 0 {
		again, err := p.round(ctx, s, open)
		if err != nil {
			return err
		}
		open = again
	}
	covered := map[string]int{}
	for _, x := range list {
		p.results = append(p.results, x.result)
		if x.result.Verdict == verdictCovered {
			covered[x.result.Setting]++
		}
	}
	var parts []string
	for _, setting := range p.run.chosen {
		parts = append(parts, fmt.Sprintf("%s %d", setting, covered[setting]))
	}
	fmt.Fprintf(s.Err, "%s: of %d targets covered: %s; %.1f s\n", p.path, len(p.targets), strings.Join(parts, ", "),
		time.Since(began).Seconds())
	return nil
}

// tapBatch is how many ways are executed together: more save compiling, fewer are told earlier. None waits longer than
// tapWait, so that a run that is ended has told most of what it has found.
const (
	tapBatch = 30
	tapWait  = 2 * time.Minute
)

// round has each search go on to its next way, executes these, and gives the searches that have still something to try.
func (p *tapProject) round(ctx context.Context, s cli.Streams, open []*pursuit) (again []*pursuit, err error) {
	var waiting []*pursuit
	last, told := time.Now(), time.Now()
	for i, x := range open {
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Fprintf(s.Err, "%s: %d of %d searches are done, next is %s, %s\n", p.path, i, len(open), x.result.Setting,
				x.result.Target)
		}
		if err := x.advance(ctx); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", x.result.Setting, x.result.Target, err)
		}
		if x.job != nil {
			waiting = append(waiting, x)
		} else if err := p.run.writeResult(s, x.result); err != nil {
			return nil, err
		}
		if len(waiting) < tapBatch && i < len(open)-1 && (len(waiting) == 0 || time.Since(told) < tapWait) {
			continue
		}
		if err := p.confirmAll(ctx, waiting); err != nil {
			return nil, err
		}
		for _, x := range waiting {
			if x.result.Verdict != verdictCovered && !x.result.Walked {
				again = append(again, x)
			} else if err := p.run.writeResult(s, x.result); err != nil {
				return nil, err
			}
		}
		waiting, told = nil, time.Now()
	}
	return again, nil
}

// writeResult tells what came of a target: as JSON, or beside the table that comes at the end.
func (r *tapRun) writeResult(s cli.Streams, x *tapResult) error {
	if err := r.kept.write(x); err != nil {
		return err
	}
	if r.json {
		return writeTAP(s.Out, x, r.counts)
	}
	fmt.Fprintf(s.Err, "%-12s %s, %s\n", x.Verdict, x.Setting, x.Target)
	return nil
}

// confirmAll executes the tests that wait, each once however many settings have found it.
func (p *tapProject) confirmAll(ctx context.Context, waiting []*pursuit) error {
	began := time.Now()
	defer func() { p.confirm += time.Since(began) }()
	var jobs []reachtest.Job
	var keys []string
	for _, x := range waiting {
		if p.outcome[x.key] == nil && !slices.Contains(keys, x.key) {
			jobs, keys = append(jobs, *x.job), append(keys, x.key)
		}
	}
	outcomes, err := reachtest.ConfirmAll(ctx, reachtest.Run{Scratch: p.scratch, Timeout: p.timeout}, jobs)
	if err != nil {
		return err
	}
	for i, o := range outcomes {
		p.outcome[keys[i]] = o
	}
	for _, x := range waiting {
		if o := p.outcome[x.key]; x.walking {
			x.result.Walked = o.Covered
		} else {
			x.conclude(o)
		}
	}
	return nil
}

// conclude notes what the real program says. Only a way that was followed and does not get there is spurious. One that
// was not followed, and one that no counter tells of, are counted apart.
func (x *pursuit) conclude(o *reachtest.Outcome) {
	r := x.result
	switch {
	case o.Covered:
		r.Verdict, r.Why, r.Reason = verdictCovered, "", ""
		return
	case o.Uncounted:
		r.Uncounted++
	case x.unsure:
		r.Unsure++
	case o.Unfollowed:
		r.Unfollowed++
	default:
		r.Spurious++
	}
	if o.Uncounted {
		r.give(verdictUncounted, o.Why)
	} else {
		r.give(verdictUnconfirmed, o.Why)
	}
	r.Driver, r.Actors, r.Messages, r.Outside = "", 0, 0, 0
}

// verdictUncounted is for a target whose way was executed, where no counter tells whether it was reached.
const verdictUncounted = "not counted"

// worseTAP orders the verdicts of the experiment.
var worseTAP = []string{verdictInfeasible, verdictGaveUp, verdictUnconfirmed, verdictUncounted, verdictCovered}

// give notes the verdict of one driver: the worst of all drivers counts.
func (r *tapResult) give(verdict, why string) {
	if i, j := slices.Index(worseTAP, verdict), slices.Index(worseTAP, r.Verdict); i > j || i == j && r.Why == "" {
		r.Verdict, r.Why, r.Reason = verdict, oneLine(why), reasonOf(verdict, oneLine(why))
	}
}
