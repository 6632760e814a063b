package rehearse

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/internal/session"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// resolve makes a task for a test of that name out of what was asked for: by fields, by variables, by default. Errors
// name the field or the variable.
func (c Config) resolve(name string, short bool, sys System, getenv func(string) string) (*task, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if err := mustBeSystem(sys); err != nil {
		return nil, err
	}
	if err := settings.Unknown(os.Environ()); err != nil {
		return nil, err
	}
	v, err := settings.Read(getenv)
	if err != nil {
		return nil, err
	}
	c.fill(name, short)
	c.apply(v)
	p, err := c.plan()
	if err != nil {
		return nil, err
	}
	p.Resume, p.States, p.CountOrders = v.Resume, v.States, getenv(record.OrdersVariable) == "1"
	p.Width, _ = strconv.Atoi(getenv("COLUMNS")) // which a shell may have set to anything
	if c.Expect != nil && c.Expect.Text != "" {  // else what it says of a violation is in its Key
		p.Judge.Known = c.Expect.matches
	}
	if err := p.Prepare(sys, getenv); err != nil {
		return nil, err
	}
	if err := findFolders(p, v.Report); err != nil {
		return nil, err
	}
	return &task{plan: p, values: v, expect: c.Expect}, p.UseFacts(sys)
}

// plan is what a session needs of a Config whose defaults are filled in.
func (c *Config) plan() (*session.Plan, error) {
	budget, err := explore.ParseBudget(c.Budget)
	if err != nil {
		return nil, err
	}
	faults, err := trace.ParseFaults(c.Faults)
	if err != nil {
		return nil, err
	}
	return &session.Plan{
		Conditions: explore.Conditions{
			Model: c.Model, Timers: c.Timers, Horizon: c.Horizon, MaxSteps: c.MaxSteps, Faults: faults,
			Effects: c.Effects, Calls: c.Calls, Copy: !c.ShareMessages, Blocked: c.Blocked,
		},
		Strategy: c.Strategy, Seed: c.Seed, Budget: budget, Guide: c.Guide, Workers: c.Workers, All: c.KeepGoing,
		Recheck: c.Recheck, GoChoices: c.Choices, Facts: c.Facts, KeepLogs: c.KeepLogs,
		CoverProfile: c.CoverProfile, Corpus: c.Corpus,
		Judge: check.Checker{Levels: c.Checks, Ends: c.Environment, Final: c.Final, Invariants: c.Invariants},
	}, nil
}

// findFolders says before anything is explored that there is no place for what is to be written.
func findFolders(p *session.Plan, report string) error {
	for _, o := range []struct{ name, path string }{
		{"coverage profile", p.CoverProfile}, {"resume", p.Resume}, {"REHEARSE_REPORT", report},
	} {
		if o.path == "" {
			continue
		}
		if err := files.InFolder(o.path); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return nil
}

// mustBeSystem says that there is no program where there is none.
func mustBeSystem(sys System) error {
	if v := reflect.ValueOf(sys); sys == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return errors.New("there is no program to explore: the System is nil; want what actor.New gives, or an adapter, " +
			"such as protoactor.System")
	}
	return nil
}

// validate says what is wrong with the fields that were given.
func (c *Config) validate() error {
	var errs []error
	bad := func(field string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("Config.%s: %w", field, err))
		}
	}
	if c.Budget != "" {
		_, err := explore.ParseBudget(c.Budget)
		bad("Budget", err)
	}
	_, err := strategies.New(c.Strategy, 0, 0)
	bad("Strategy", err)
	_, err = trace.ParseFaults(c.Faults)
	bad("Faults", err)
	_, err = chance.ParseLimits(c.Choices)
	bad("Choices", err)
	bad("Guide", c.validateGuide())
	bad("Effects", c.Effects.Validate())
	bad("Calls", c.Calls.Validate())
	negative := func(field string, is bool) {
		if is {
			bad(field, errors.New("is negative: want a positive value, or zero for the default"))
		}
	}
	negative("Horizon", c.Horizon < 0)
	negative("MaxSteps", c.MaxSteps < 0)
	negative("Blocked", c.Blocked < 0)
	if c.Workers < 0 || c.Workers > settings.MaxWorkers {
		bad("Workers", fmt.Errorf("%d: want a number of processes from 1 to %d, or zero for the default", c.Workers,
			settings.MaxWorkers))
	}
	c.validateValues(bad)
	return errors.Join(errs...)
}

// validateValues says which of the other fields have values that mean nothing.
func (c *Config) validateValues(bad func(field string, err error)) {
	if c.Model > trace.MailboxSerial {
		bad("Model", fmt.Errorf("%d is no delivery model", c.Model))
	}
	if c.Timers > trace.Async {
		bad("Timers", fmt.Errorf("%d is no timer mode", c.Timers))
	}
	if c.Environment > check.Empty {
		bad("Environment", fmt.Errorf("%d is neither Total nor Empty", c.Environment))
	}
	for _, k := range slices.Sorted(maps.Keys(c.Checks)) {
		if k == trace.NoViolation || k > trace.Isolation || c.Checks[k] > check.Off {
			bad("Checks", fmt.Errorf("kind %d has level %d: want a kind such as Deadlock, and Error, Warning or Off", k,
				c.Checks[k]))
		}
	}
	for i, inv := range c.Invariants {
		if inv.Holds == nil || inv.Name == "" {
			bad(fmt.Sprintf("Invariants[%d]", i), errors.New("want a Name and a function Holds"))
		}
	}
	if e := c.Expect; e != nil && (e.Kind == trace.NoViolation || e.Kind > trace.Isolation) {
		bad("Expect", errors.New("want a Kind, such as Deadlock"))
	}
}

// fill sets the defaults.
func (c *Config) fill(name string, short bool) {
	if c.Budget == "" {
		c.Budget = defaultBudget
		if short && c.Guide == nil { // following an order is no sample that could be smaller
			c.Budget = shortBudget
		}
	}
	if c.Strategy == "" {
		c.Strategy = "auto"
	}
	if c.Seed == 0 {
		c.Seed = max(1, trace.HashString(name))
	}
	if c.Horizon == 0 {
		c.Horizon = defaultHorizon
	}
	if c.MaxSteps == 0 {
		c.MaxSteps = defaultMaxSteps
	}
	if c.Recheck == 0 {
		c.Recheck = defaultRecheck
	}
	if c.Workers == 0 {
		c.Workers = 1
	}
	if c.Blocked == 0 {
		c.Blocked = defaultBlocked
	}
}

// apply lets the variables win.
func (c *Config) apply(v settings.Values) {
	if v.Budget != "" {
		c.Budget = v.Budget
	}
	if v.Strategy != "" {
		c.Strategy = v.Strategy
	}
	if v.Seed != nil {
		c.Seed = *v.Seed
	}
	if v.Model != trace.DefaultModel {
		c.Model = v.Model
	}
	if v.Timers != nil {
		c.Timers = *v.Timers
	}
	if v.Faults != "" {
		c.Faults = v.Faults
	}
	if v.Workers > 0 {
		c.Workers = v.Workers
	}
	if v.Logs != nil {
		c.KeepLogs = *v.Logs
	}
	if v.Coverage != "" {
		c.CoverProfile = v.Coverage
	}
	if v.Facts != "" {
		c.Facts = v.Facts
	}
	if v.Choices != "" {
		c.Choices = v.Choices
	}
	if v.KeepOn != nil {
		c.KeepGoing = *v.KeepOn
	}
	if v.Corpus != nil {
		c.Corpus = *v.Corpus
	}
}

// validateGuide says which fields make no sense beside Guide.
func (c *Config) validateGuide() error {
	if c.Guide == nil {
		return nil
	}
	var beside []string
	for _, f := range []struct {
		name string
		set  bool
	}{{"Strategy", c.Strategy != ""}, {"Workers", c.Workers > 1}, {"Corpus", c.Corpus}, {"KeepGoing", c.KeepGoing}} {
		if f.set {
			beside = append(beside, f.name)
		}
	}
	if len(beside) > 0 {
		return fmt.Errorf("the guide is followed in place of an exploration, so it does not go with %s: leave that out, or "+
			"explore in a Check of its own",
			strings.Join(beside, ", "))
	}
	return nil
}
