package rehearse

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/draws"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/journal"
	"github.com/rehearse-go/rehearse/internal/logcapture"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/trace"
)

// hello is what a worker is told first.
type hello struct {
	Call    string            // the exploration to take part in
	Header  parallel.Header   // what it is about: a worker must see the same
	Earlier map[string]Result // of the explorations that the test made before: it goes on from them
	Journal string            // folder for journals
}

// divide has worker processes explore, and takes what they found as if it had been found here.
func (s *session) divide() (explore.Outcome, error) {
	h, err := s.divisible()
	if err != nil {
		return explore.Outcome{}, err
	}
	dir, remove, err := files.TempFolder("rehearse-workers")
	if err != nil {
		return explore.Outcome{}, err
	}
	defer remove()
	c := parallel.Config{Workers: s.Workers, Header: h, Executions: s.budget.Executions, First: !s.all}
	if j, ok := s.strategy.(explore.Joiner); ok {
		c.Joiner = j
	}
	if s.values.Resume != "" {
		c.File = filepath.Join(s.values.Resume, s.fileName())
		tellUnlocked(realStderr(), s.values.Resume, files.NoLocks)
		if c.Header.Binary, err = hashOfBinary(); err != nil {
			return explore.Outcome{}, err
		}
	}
	if c.Command, err = s.restart(h, dir); err != nil {
		return explore.Outcome{}, err
	}
	c.Stop = func(n *explore.Counters) bool {
		s.done = n.Executions + n.Blocked
		s.executes = true // the file, if there is one, was not refused
		s.progress.tick(n)
		return s.stop()
	}
	c.Autopsy = func(pid int) (trace.Violation, string) { return s.autopsy(dir, pid) }
	p, err := parallel.Run(c)
	defer s.endAt(s.investigation(1))()
	sum := &p.Sum
	s.done, s.chosen = sum.Executions+sum.Blocked, sum.Chosen
	out := explore.Outcome{Counters: sum.Counters, Verdict: sum.Verdict, Complete: p.Complete, Exhausted: p.Exhausted, Reason: p.Reason}
	out.Within = p.Within
	for _, v := range p.Warned {
		s.warn(v)
	}
	if err = errors.Join(err, s.adopt(p.Found)); err == nil && (s.all || len(s.raws) == 0) {
		err = s.repeatHere(&out)
	}
	return out, err
}

// tellUnlocked says why a folder is not safe from other processes, if it is not.
func tellUnlocked(w io.Writer, folder, why string) {
	if why != "" {
		fmt.Fprintf(w, "rehearse: warning: resume %q: %s: see to it that no other process goes on with the same exploration\n", folder, why)
	}
}

// divisible gives what the exploration is about, or the reason why it cannot be divided.
func (s *session) divisible() (parallel.Header, error) {
	h := parallel.Header{Tool: toolVersion, Package: s.header.Package, Test: s.header.Test, Call: s.call, Strategy: s.strategy.Name(), Seed: s.Seed,
		Model: s.Model.String(), Timers: s.Timers.String(), Faults: s.faults.String(), Horizon: s.Horizon.String(), MaxSteps: s.MaxSteps, Copy: !s.ShareMessages}
	if s.cases != nil {
		sum := sha256.Sum256(fmt.Append(nil, s.cases)) // maps are printed in the order of their keys
		h.Cases = hex.EncodeToString(sum[:8])
	}
	setting := fmt.Sprintf("workers %d", s.Workers)
	if s.values.Resume != "" {
		setting = "resume " + strconv.Quote(s.values.Resume)
	}
	if why := undivided(s.strategy); why != "" {
		return h, fmt.Errorf("%s: strategy %s cannot be divided into parts that are executed by themselves: %s; "+
			"choose naive, source, optimal or reverse, or leave the setting away", setting, s.strategy.Name(), why)
	}
	if err := explore.BindTo(s.strategy, explore.Env{Conditions: s.conditions(s.Model, s.Timers, s.faults)}); err != nil {
		return h, err
	}
	if s.pattern == "" {
		return h, fmt.Errorf("%s: worker processes run the test again, and this exploration is not called from a test function: "+
			"use Check or Explore in a test, or leave the setting away", setting)
	}
	return h, nil
}

// undivided says why a strategy cannot be divided, "" if it can.
func undivided(st explore.Strategy) string {
	if _, ok := st.(explore.Divisible); !ok {
		return "what it executes next depends on all that it has executed"
	}
	if u, ok := st.(interface{ Undivided() string }); ok {
		return u.Undivided()
	}
	return ""
}

// restart starts the test binary again, at this exploration.
func (s *session) restart(h parallel.Header, dir string) (parallel.Command, error) {
	// What a test makes in the temporary folder before it comes here, a worker that is killed does not remove.
	c := parallel.Command{Args: []string{"-test.run=" + s.pattern, "-test.timeout=0"}, Env: []string{"GOMAXPROCS=1", "TMPDIR=" + dir}}
	var err error
	if c.Path, err = os.Executable(); err != nil {
		return c, err
	}
	flag.Visit(func(f *flag.Flag) {
		// The other flags of go test say what to run and where to write: a worker runs this, and writes nothing.
		if !strings.HasPrefix(f.Name, "test.") || f.Name == "test.short" || f.Name == "test.cpu" || f.Name == "test.count" && s.header.Test == "" {
			c.Args = append(c.Args, "-"+f.Name+"="+f.Value.String())
		}
	})
	c.Args = append(c.Args, flag.Args()...)
	c.Hello, err = json.Marshal(hello{s.call, h, process.results, dir})
	return c, err
}

// fileName names the file of an exploration: people see the test, the hash tells packages and calls apart.
func (s *session) fileName() string {
	sum := sha256.Sum256([]byte(s.header.Package + "\x00" + s.call))
	name := regexp.MustCompile(`[^A-Za-z0-9_.-]+`).ReplaceAllString(s.header.Test, "_")
	return strings.TrimLeft(name+"-"+hex.EncodeToString(sum[:4])+".exploration", "-")
}

// hashOfBinary tells one program from another by its contents. They are read once: that takes longer than many an exploration.
var hashOfBinary = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
})

// death is an execution that killed its process.
type death struct {
	journal.Died
	output string // its last words
}

// autopsy reads the journal of a worker that died in a careful execution.
func (s *session) autopsy(dir string, pid int) (v trace.Violation, schedule string) {
	v = trace.Violation{Kind: trace.RuntimeFatal, Text: "two worker processes died in the middle of this execution: " +
		"a panic in a goroutine that the program started, a fatal error of the runtime, os.Exit or a kill"}
	j, died, err := journal.Open(dir, strconv.Itoa(pid), s.header)
	if err != nil || died == nil {
		return v, ""
	}
	j.Close()
	schedule, _ = encoded(&trace.Schedule{Header: died.Header, Steps: died.Steps}, &v)
	return v, schedule
}

// encoded gives a schedule as text.
func encoded(sched *trace.Schedule, v *trace.Violation) (string, error) {
	sched.Header.Violation = v
	var b bytes.Buffer
	err := trace.EncodeSchedule(&b, sched)
	return b.String(), err
}

// adopt turns what workers found into what was found here: their executions are executed here once.
func (s *session) adopt(fs []parallel.Found) error {
	for _, f := range fs {
		w := raw{violation: f.Violation, execution: f.Execution}
		var sched *trace.Schedule
		if f.Schedule != "" {
			var err error
			if sched, err = trace.DecodeSchedule(strings.NewReader(f.Schedule), "the schedule of a worker"); err != nil {
				return err
			}
			h := &sched.Header
			w.choices = goChoices{h.Choices, draws.Limits{Draws: h.Draws, Preemptions: h.Preemptions}}
		}
		switch {
		case f.Violation.Kind == trace.RuntimeFatal:
			w.died = &death{output: f.Output, Died: journal.Died{Header: s.header}}
			if sched != nil {
				w.died.Steps = sched.Steps
			}
		case sched != nil:
			if err := s.reproduce(&w, sched); err != nil {
				return fmt.Errorf("%s was found, but replaying it failed: %w", f.Violation.String(), err)
			}
		}
		s.take(w)
	}
	return nil
}

// take adds a violation by its level.
func (s *session) take(w raw) {
	switch s.Checks.Of(w.violation.Kind) {
	case check.Off:
	case check.Warning:
		s.warn(w.violation)
	default:
		if key := w.violation.Key(); !s.known[key] {
			s.known[key] = true
			s.raws = append(s.raws, w)
		}
	}
}

// reproduce executes the schedule. Where it does not show the violation, the program does not do the same in every process.
func (s *session) reproduce(w *raw, sched *trace.Schedule) error {
	return s.muted(func() error {
		run, err := s.runner(s.lookFor(&w.violation, s.options(s.conditionsOf(&sched.Header))))(sched.Steps)
		if err != nil {
			return err
		}
		if v := run.With(w.violation.Key()); v != nil {
			w.trace, w.violation = run.Trace, *v
			return nil
		}
		w.violation = trace.Violation{Kind: trace.Divergence,
			Text: fmt.Sprintf("a finding of a worker process could not be repeated in this one (%s)", w.violation.String())}
		return nil
	})
}

// finding is what can be told of a death: nothing is executed, which would be deadly here too.
func (d *death) finding(r *raw) *finding {
	f := &finding{Finding: Finding{Violation: r.violation, Execution: r.execution, Logs: logcapture.Plain(lastLines(d.output, 40))}}
	f.Note = "Replaying the schedule kills the process that does it."
	if len(d.Steps) == 0 {
		f.Note = "It died in set-up or before the first choice: there is no schedule."
		return f
	}
	h := d.Header
	h.Violation = &r.violation
	f.Schedule, f.Diagram = &trace.Schedule{Header: h, Steps: d.Steps}, stepsOf(&d.Died)
	return f
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
