// Package settings is the one table of everything that can be set from outside of a test. A row has the flag of the
// command, the environment variable, the field of Config that it wins over, and the row of the manual.
package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// Row is one setting. Exactly the rows with a Field have a counterpart in Config; the others concern one run only.
type Row struct {
	Flag    string // of the command, without dashes
	Env     string // the variable, read inside Check
	Field   string // of Config, "" if none
	Default string // as the manual says it
	Doc     string // one line
	set     func(*Values, string) error
}

// Values are the settings that were given. A nil pointer or an empty string was not given.
type Values struct {
	Budget   string
	Strategy string
	Seed     *uint64
	Model    trace.Model
	Timers   *trace.TimerMode
	Faults   string
	Workers  int           // 0: not given
	Resume   string        // a folder: keep the exploration there, and go on with what is there
	Replay   string        // a schedule file: replay it and do nothing else
	Report   string        // a file to append a record.Record to
	States   bool          // print the actor states at each step of a replay
	Progress time.Duration // between two lines of progress; 0: as it suits, negative: none
	Logs     *bool         // leave the logs of the program alone
	Save     SaveMode
	Coverage string // a file to merge a coverage profile into
	Corpus   *bool  // keep executions that add coverage
	Facts    string // on, off, or a file
	KeepOn   *bool  // go on after a violation
	Choices  string // what becomes of what Go chooses by itself
}

// SaveMode says what becomes of schedule files.
type SaveMode uint8

// The modes.
const (
	SaveFindings SaveMode = iota // write the schedules of findings
	SaveNothing
	SaveRefresh // also rewrite stale ones that pass, without the steps that are gone
	SavePrune   // also delete stale ones that pass
	SaveGuided  // also write the execution of a Config.Guide that passes
)

func parseSave(s string) (SaveMode, error) {
	switch s {
	case "refresh":
		return SaveRefresh, nil
	case "prune":
		return SavePrune, nil
	case "guided":
		return SaveGuided, nil
	}
	on, err := parseSwitch(s)
	if err != nil {
		return 0, fmt.Errorf("%q: want on, off, refresh, prune or guided", s)
	}
	if on {
		return SaveFindings, nil
	}
	return SaveNothing, nil
}

// leastProgress is the least time between two lines of progress.
const leastProgress = 100 * time.Millisecond

func parseProgress(s string) (time.Duration, error) {
	if on, err := parseSwitch(s); err == nil && !on {
		return -1, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < leastProgress {
		return 0, fmt.Errorf("%q: want a time such as 10s, %s at least, or off", s, leastProgress)
	}
	return d, nil
}

// MaxWorkers is the most processes that share an exploration.
const MaxWorkers = 1024

var rows = []Row{
	{"budget", "REHEARSE_BUDGET", "Budget", "1000x, 100x under -short", "executions (1000x), time (30s) or unlimited",
		func(v *Values, s string) error {
			_, err := explore.ParseBudget(s)
			v.Budget = s
			return err
		}},
	{"strategy", "REHEARSE_STRATEGY", "Strategy", "auto",
		"how executions are chosen: " + strings.Join(strategies.Names(), ", "), func(v *Values, s string) error {
			_, err := strategies.New(s, 0, 0)
			v.Strategy = s
			return err
		}},
	{"seed", "REHEARSE_SEED", "Seed", "derived from the test's name", "of every random choice; a whole number",
		func(v *Values, s string) error {
			n, err := strconv.ParseUint(s, 0, 64)
			if err != nil {
				return fmt.Errorf("seed %q: want a whole number from 0 to 2^64-1, decimal or 0x...", s)
			}
			v.Seed = &n
			return nil
		}},
	{"model", "REHEARSE_MODEL", "Model", "what the system says",
		"delivery model: bag, fifo, causal, mailbox, mailbox-serial", func(v *Values, s string) (err error) {
			v.Model, err = trace.ParseModel(s)
			return err
		}},
	{"timers", "REHEARSE_TIMERS", "Timers", "quiescent",
		"when set timers may fire: quiescent (nothing else can happen) or async (at any point)",
		func(v *Values, s string) error {
			m, err := trace.ParseTimerMode(s)
			v.Timers = &m
			return err
		}},
	{"faults", "REHEARSE_FAULTS", "Faults", "off",
		"faults to inject: some of drop, duplicate, crash-losing, crash, restart, or all; behind a colon at most how many " +
			"in one execution: drop,crash:2", func(v *Values, s string) error {
			_, err := trace.ParseFaults(s)
			v.Faults = s
			return err
		}},
	{"choices", "REHEARSE_CHOICES", "Choices", "4/2",
		"what becomes of Go's own choices where the test was built by rehearse test: how many of them are explored between " +
			"two others, the rest following the seed (behind a slash how often goroutines are preempted there: 4/2); sample " +
			"(all follow " +
			"the seed); off (as in go test, where they have no numbers)", func(v *Values, s string) error {
			_, err := chance.ParseLimits(s)
			v.Choices = s
			return err
		}},
	{"workers", "REHEARSE_WORKERS", "Workers", "1",
		"processes that share the exploration, one core each; strategies: naive, reverse, source, optimal, random, pos, " +
			"delays, cover/shared, and with the option first pct, surw and delay",
		func(v *Values, s string) error {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 || n > MaxWorkers {
				return fmt.Errorf("%q: want a number of processes from 1 to %d", s, MaxWorkers)
			}
			v.Workers = n
			return nil
		}},
	{"resume", "REHEARSE_RESUME", "", "",
		"keep the exploration in this folder, and go on with what is there after it was stopped or killed; strategies as " +
			"for workers; relative to the package's folder", func(v *Values, s string) error {
			v.Resume = s
			return nil
		}},
	{"replay", "REHEARSE_REPLAY", "", "",
		"replay this schedule file and do nothing else; relative to the package's folder", func(v *Values, s string) error {
			v.Replay = s
			return nil
		}},
	{"report", "REHEARSE_REPORT", "", "", "append the result of every Check to this file, one JSON object a line",
		func(v *Values, s string) error {
			v.Report = s
			return nil
		}},
	{"states", "REHEARSE_STATES", "", "off", "1: print the actor states at each step of a replay",
		func(v *Values, s string) (err error) {
			v.States, err = parseSwitch(s)
			return err
		}},
	{"progress", "REHEARSE_PROGRESS", "", "3s on a terminal, else 1m",
		"how often a long exploration says on the standard error how far it is: a time from 100ms, or off",
		func(v *Values, s string) (err error) {
			v.Progress, err = parseProgress(s)
			return err
		}},
	{"logs", "REHEARSE_LOGS", "KeepLogs", "off", "1: let the program print while it is explored",
		func(v *Values, s string) error {
			return setSwitch(&v.Logs, s)
		}},
	{"save", "REHEARSE_SAVE", "", "on",
		"schedules of findings: on, off (save none), refresh (also rewrite stale ones without the steps that are gone), " +
			"prune (also delete stale ones), guided (also that of a Config.Guide that passes)",
		func(v *Values, s string) (err error) {
			v.Save, err = parseSave(s)
			return err
		}},
	{"coverprofile", "REHEARSE_COVERPROFILE", "CoverProfile", "",
		"merge into this file which messages actors were seen to receive in which order, for rehearse cover; the variable " +
			"and the field: relative to the package's folder", func(v *Values, s string) error {
			v.Coverage = s
			return nil
		}},
	{"facts", "REHEARSE_FACTS", "Facts", "on",
		"reckon with what an analysis of the source says that handlers do: on (testdata/rehearse/facts, if it is there), " +
			"off, or a file, relative to the package's folder; rehearse test: also make (a file for every package)",
		func(v *Values, s string) error {
			v.Facts = s
			return nil
		}},
	{"keep-going", "REHEARSE_KEEP_GOING", "KeepGoing", "off",
		"1: go on after a violation within the budget, and report each different one, minimised and saved",
		func(v *Values, s string) error {
			return setSwitch(&v.KeepOn, s)
		}},
	{"corpus", "REHEARSE_CORPUS", "Corpus", "off",
		"1: keep the executions that add orders as schedules, which later runs replay first",
		func(v *Values, s string) error {
			return setSwitch(&v.Corpus, s)
		}},
}

// Rows lists the settings in the order of the manual.
func Rows() []Row { return append([]Row(nil), rows...) }

// Read reads the variables with getenv, which must be os.Getenv called while the test runs: only then are they part of
// the key under which go test caches a result. An empty variable is one that was not given. The error names the
// variable.
func Read(getenv func(string) string) (Values, error) {
	var v Values
	for _, r := range rows {
		if s := getenv(r.Env); s != "" {
			if err := r.set(&v, s); err != nil {
				return Values{}, fmt.Errorf("environment variable %s: %w", r.Env, err)
			}
		}
	}
	return v, nil
}

// Manual is the table for people, in Markdown.
func Manual() string {
	var b strings.Builder
	b.WriteString("| flag of `rehearse` | variable | field of `Config` | default | what it is |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		field := "-"
		if r.Field != "" {
			field = "`" + r.Field + "`"
		}
		def := r.Default
		if def == "" {
			def = "-"
		}
		fmt.Fprintf(&b, "| `-%s` | `%s` | %s | %s | %s |\n", r.Flag, r.Env, field, def, r.Doc)
	}
	return b.String()
}

func setSwitch(p **bool, s string) error {
	on, err := parseSwitch(s)
	*p = &on
	return err
}

func parseSwitch(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "1", "on", "true", "yes":
		return true, nil
	case "0", "off", "false", "no":
		return false, nil
	}
	return false, fmt.Errorf("%q: want on (1, true, yes) or off (0, false, no)", s)
}
