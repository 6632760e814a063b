package session

import (
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
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// hello is what a worker is told first.
type hello struct {
	Call    string          // the exploration to take part in
	Header  parallel.Header // what it is about: a worker must see the same
	Earlier json.RawMessage // results, by call, of the explorations that the test made before: it goes on from them
}

// division is the exploration of a session by worker processes, on the side that coordinates them.
type division struct{ *Session }

// divide has worker processes explore, and takes what they found as if it had been found here.
func (s *division) divide() (explore.Outcome, error) {
	h, err := s.divisible()
	if err != nil {
		return explore.Outcome{}, err
	}
	c := parallel.Config{Executions: s.Budget.Executions, First: !s.All,
		Strategy: strategies.Limited(s.strategy.(explore.Divisible), s.Budget.Executions)}
	c.Watch = func(open, found int, estimate parallel.Estimator) {
		s.openItems, s.foundByWorkers, s.estimator = open, found, estimate
	}
	begun := false
	c.Stop = func(n *explore.Counters) bool {
		if !begun {
			begun = true
			s.progress.begin(n)
		}
		s.done, s.cutShort = n.Executions+n.Blocked, n.Blocked
		s.executes = true // the file, if there is one, was not refused
		s.progress.tick(n)
		return s.stops()
	}
	run := s.here
	if s.elsewhere != nil {
		run = s.there
	}
	p, err := run(h, c)
	if p.Tally == nil {
		return explore.Outcome{}, err
	}
	defer s.endAt(s.investigation(1))()
	sum := &p.Sum
	s.done, s.cutShort, s.Chosen = sum.Executions+sum.Blocked, sum.Blocked, sum.Chosen
	out := explore.Outcome{Counters: sum.Counters, Verdict: sum.Verdict, Exhausted: p.Exhausted, Reason: p.Reason}
	out.Within, s.tasks, s.estimate = p.Within, p.Tasks, p.Estimate
	if s.elsewhere != nil && p.Reason == "stopped" && !s.timeUp && !s.late {
		s.stoppedBy = "rehearse swarm stop"
	}
	for _, v := range p.Warned {
		s.warn(v)
	}
	if err = errors.Join(err, s.adopt(p.Found)); err == nil && (s.All || len(s.Raws) == 0) && !s.Unshared() {
		err = s.repeatHere(&out)
	}
	out.Judge(p.Exhausted && !sum.Unsound && sum.Within == "")
	return out, err
}

// here divides the exploration among processes that this one starts.
func (s *division) here(h parallel.Header, c parallel.Config) (parallel.Outcome, error) {
	dir, remove, err := files.TempFolder("rehearse-workers")
	if err != nil {
		return parallel.Outcome{}, err
	}
	defer remove()
	pipes := &parallel.Pipes{Workers: s.Workers, Header: h,
		Autopsy: func(pid int) (trace.Violation, string) { return parallel.Autopsy(dir, pid, s.Header) }}
	if s.Resume != "" {
		pipes.File = filepath.Join(s.Resume, s.FileName())
		tellUnlocked(os.Stderr, s.Resume, files.NoLocks)
		if pipes.Header.Binary, err = hashOfBinary(); err != nil {
			return parallel.Outcome{}, err
		}
	}
	if pipes.Command, err = s.restart(h); err != nil {
		return parallel.Outcome{}, err
	}
	if pipes.Command.Path, err = os.Executable(); err != nil {
		return parallel.Outcome{}, err
	}
	// What a test makes in the temporary folder before it comes here, a worker that is killed does not remove.
	pipes.Command.Env = append(pipes.Command.Env, parallel.FolderOf(dir))
	return parallel.Run(c, pipes)
}

// there has the exploration divided by the process that has started this one.
func (s *division) there(h parallel.Header, c parallel.Config) (parallel.Outcome, error) {
	command, err := s.restart(h)
	if err != nil {
		return parallel.Outcome{}, err
	}
	// Whoever goes on may have a larger one: it is no part of what the job is.
	command.Env = append(command.Env, "REHEARSE_BUDGET="+s.Budget.String())
	return s.elsewhere.Run(&parallel.Job{Header: h, Command: command, Trace: s.Header, Executions: c.Executions,
		First: c.First}, c)
}

// tellUnlocked says why a folder is not safe from other processes, if it is not.
func tellUnlocked(w io.Writer, folder, why string) {
	if why != "" {
		fmt.Fprintf(w, "rehearse: warning: resume %q: %s: see to it that no other process goes on with the "+
			"same exploration\n", folder, why)
	}
}

// divisible gives what the exploration is about, or the reason why it cannot be divided.
func (s *Session) divisible() (parallel.Header, error) {
	h := parallel.Header{Tool: toolVersion, Package: s.Header.Package, Test: s.Header.Test, Call: s.Call,
		Strategy: s.strategy.Name(), Seed: s.Seed,
		Model: s.Model.String(), Timers: s.Timers.String(), Faults: s.Faults.String(), Horizon: s.Horizon.String(),
		MaxSteps: s.MaxSteps, Copy: s.Copy}
	if s.Cases != nil {
		sum := sha256.Sum256(fmt.Append(nil, s.Cases)) // maps are printed in the order of their keys
		h.Cases = hex.EncodeToString(sum[:8])
	}
	setting, waiting := fmt.Sprintf("workers %d", s.Workers), "source, optimal, "
	switch {
	case s.Resume != "":
		setting = "resume " + strconv.Quote(s.Resume)
	case s.elsewhere != nil:
		setting, waiting = "rehearse swarm", ""
	}
	if s.elsewhere != nil && waits(s.strategy) {
		return h, fmt.Errorf("%s: the parts of strategy %s wait for each other, which costs too much between machines: "+
			"choose reverse, which executes the same classes, or naive; -workers divides %[2]s on one machine",
			setting, s.strategy.Name())
	}
	if why := undivided(s.strategy); why != "" {
		return h, fmt.Errorf("%s: strategy %s cannot be divided into parts that are executed by themselves: %s; "+
			"choose one that can (docs/parallel.md): naive, %sreverse, random, pos, delays, pct/3/first, "+
			"surw/first, delay/2/random/first, cover/shared; or leave the setting away", setting, s.strategy.Name(), why,
			waiting)
	}
	if err := explore.BindTo(s.strategy, explore.Env{Conditions: s.ordinary(s.Model, s.Timers, s.Faults)}); err != nil {
		return h, err
	}
	if s.Pattern == "" {
		return h, fmt.Errorf("%s: worker processes run the test again, and this exploration is not called from a "+
			"test function: use Check or Explore in a test, or leave the setting away", setting)
	}
	return h, nil
}

// waits reports whether parts of the search of a strategy wait for others.
func waits(st explore.Strategy) bool {
	_, ok := st.(explore.Joiner)
	return ok
}

// undivided says why a strategy cannot be divided, "" if it can.
func undivided(st explore.Strategy) string {
	why := explore.ReportOf(st).Undivided
	if _, ok := st.(explore.Divisible); !ok && why == "" {
		why = "what it executes next depends on all that it has executed"
	}
	return why
}

// restart says how the test binary is started again, at this exploration.
func (s *division) restart(h parallel.Header) (parallel.Command, error) {
	c := parallel.Command{Args: []string{"-test.run=" + s.Pattern, "-test.timeout=0"}, Env: []string{"GOMAXPROCS=1"}}
	flag.Visit(func(f *flag.Flag) {
		// The other flags of go test say what to run and where to write: a worker runs this, and writes nothing.
		if !strings.HasPrefix(f.Name, "test.") || f.Name == "test.short" || f.Name == "test.cpu" ||
			f.Name == "test.count" && s.Header.Test == "" {
			c.Args = append(c.Args, "-"+f.Name+"="+f.Value.String())
		}
	})
	c.Args = append(c.Args, flag.Args()...)
	earlier, err := json.Marshal(s.Earlier)
	if err != nil {
		return c, err
	}
	c.Hello, err = json.Marshal(hello{s.Call, h, earlier})
	return c, err
}

// FileName names the file of an exploration that is kept: people see the test, the hash tells packages and calls apart.
func (id *ID) FileName() string {
	sum := sha256.Sum256([]byte(id.Package + "\x00" + id.Call))
	name := regexp.MustCompile(`[^A-Za-z0-9_.-]+`).ReplaceAllString(id.Test, "_")
	return strings.TrimLeft(name+"-"+hex.EncodeToString(sum[:4])+".exploration", "-")
}

// hashOfBinary tells one program from another by its contents. They are read once: that takes longer than many an
// exploration.
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

// adopt turns what workers found into what was found here: their executions are executed here once.
func (s *division) adopt(fs []parallel.Found) error {
	for _, f := range fs {
		w := Raw{Violation: f.Violation, execution: f.Execution, cutShort: f.CutShort}
		var sched *trace.Schedule
		if f.Schedule != "" {
			var err error
			if sched, err = trace.DecodeSchedule(strings.NewReader(f.Schedule), "the schedule of a worker"); err != nil {
				return err
			}
			h := &sched.Header
			w.choices = goChoices{h.Choices, chance.Limits{Draws: h.Draws, Preemptions: h.Preemptions}}
		}
		switch {
		case f.Violation.Kind == trace.RuntimeFatal:
			w.died = &death{output: f.Output, Died: saved.Died{Header: s.Header}}
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
