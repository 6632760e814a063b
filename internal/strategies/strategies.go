// Package strategies makes strategies by name.
//
//	strategies.go the table of all strategies
//	auto.go       the default one, which takes turns between others
package strategies

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/baseline"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/stateful"
)

// row is one strategy: the table is what flags, messages and documents quote.
type row struct {
	name    string
	effects reckoning
	doc     string
	options func() []string // words that may follow the name, each after a slash, as in stateful/generic/bfs; nil: none
	make    func(p params) (explore.Strategy, error)
}

// reckoning says whether a strategy executes less for knowing what handlers read and write
// (explore.Conditions.Effects), under every condition where that counts.
type reckoning bool

const (
	heeds   reckoning = true
	ignores reckoning = false
)

// params are what strategies are made from.
type params struct {
	seed    uint64
	budget  int
	options string // behind the first slash
}

// simple makes a strategy that has no options.
func simple(s func(p params) explore.Strategy) func(params) (explore.Strategy, error) {
	return func(p params) (explore.Strategy, error) { return s(p), nil }
}

// ordered makes a strategy whose one option is an order of actors.
func ordered[S explore.Strategy](s func(order.Order) S) func(params) (explore.Strategy, error) {
	return func(p params) (explore.Strategy, error) {
		o, err := order.New(p.options)
		if err != nil {
			return nil, err
		}
		return s(o), nil
	}
}

// ranked makes a strategy that may be given an order of actors, instead of the default order of steps.
func ranked[S explore.Strategy](s func(dpor.Ranking) S) func(params) (explore.Strategy, error) {
	return func(p params) (explore.Strategy, error) {
		if p.options == "" {
			return s(nil), nil
		}
		o, err := order.New(p.options)
		if err != nil {
			return nil, err
		}
		return s(dpor.ByActor(o)), nil
	}
}

var rows = []row{
	{"auto", heeds, "the default order, schedules with orders not seen yet (cover), random ones, then one execution of " +
		"every class where that looks affordable", nil,
		simple(func(p params) explore.Strategy { return newAuto(p.seed, p.budget) })},
	{"default", ignores, "one execution in the default order", nil,
		simple(func(params) explore.Strategy { return &sample.DefaultOrder{} })},
	{"random", ignores, "uniform random walks", nil,
		simple(func(p params) explore.Strategy { return sample.NewRandom(p.seed) })},
	{"delays", ignores, "random delays of all messages, up to so many ms, as in delays/100: the baseline of Bita " +
		"(delay, below, is a search)", sample.DelaysWords,
		func(p params) (explore.Strategy, error) { return sample.ParseDelays(p.options, p.seed) }},
	{"pct", ignores, "random priorities that change at few places, for bugs that need so many steps in one order, as in " +
		"pct/3", sample.PCTWords,
		func(p params) (explore.Strategy, error) { return sample.ParsePCT(p.options, p.seed) }},
	{"pos", ignores, "random priorities of steps, drawn again where steps race: partial-order sampling", nil,
		simple(func(p params) explore.Strategy { return sample.NewPOS(p.seed, causal.Accesses{}) })},
	{"surw", ignores, "every order of the steps of one actor equally likely, another actor each time; all: of all steps",
		sample.SURWWords,
		func(p params) (explore.Strategy, error) { return sample.ParseSURW(p.options, p.seed) }},
	{"cover", ignores, "schedules that each bring receives into an order not seen yet; literal: as Bita makes them, by " +
		"one criterion or all in turn", cover.Words,
		func(p params) (explore.Strategy, error) {
			return cover.Parse(p.options, p.seed, &sample.DefaultOrder{}, sample.NewPOS(p.seed, causal.Accesses{}))
		}},
	{"naive", ignores, "every schedule, depth first", nil,
		simple(func(params) explore.Strategy { return search.NewNaive() })},
	{"dcute", ignores, "one or more executions of every class: the reduction of dCUTE, by an order of actors", order.Names,
		ordered(baseline.NewDCUTE)},
	{"persistent", ignores, "the same by persistent sets", order.Names, ordered(baseline.NewPersistent)},
	{"persistent+sleep", ignores, "the same by persistent sets and sleep sets", order.Names,
		ordered(baseline.NewPersistentSleep)},
	{"trans", ignores, "the same by persistent sets that TransDPOR keeps small", order.Names, ordered(baseline.NewTrans)},
	{"select", heeds, "the same, stable actors first and independent tasks of one actor in one order, by declared calls " +
		"and effects", baseline.SelectionWords,
		func(p params) (explore.Strategy, error) {
			o, err := baseline.ParseSelection(p.options)
			return baseline.NewSelect(o), err
		}},
	{"source", heeds, "one execution of every class, few blocked: source-DPOR", order.Names, ranked(dpor.NewSource)},
	{"optimal", heeds, "one execution of every class, hardly any blocked: optimal DPOR with wakeup trees",
		order.Names, ranked(dpor.NewOptimal)},
	{"reverse", heeds, "the same by reverse search, in memory that does not grow; an option leaves out what deviates " +
		"more often from the default order, or puts it off", reverse.BoundWords,
		func(p params) (explore.Strategy, error) {
			if p.options == "" {
				return reverse.New(), nil
			}
			return reverse.NewBounded(p.options)
		}},
	{"delay", ignores, "every schedule in which so many steps are put off at most, as in delay/2, or a random sample of " +
		"them", search.DelayWords,
		func(p params) (explore.Strategy, error) { return search.ParseDelay(p.options, p.seed) }},
	{"stateful", ignores, "every state once: compares states, and cuts what was explored from the same state before",
		stateful.Words,
		func(p params) (explore.Strategy, error) {
			o, err := stateful.Parse(p.options)
			return stateful.New(o), err
		}},
}

// New makes the strategy of that name, with options behind slashes; "" is auto. budget is a number of executions, 0 if
// not limited by number.
func New(name string, seed uint64, budget int) (explore.Strategy, error) {
	if name == "" {
		name = "auto"
	}
	base, options, some := strings.Cut(name, "/")
	for _, r := range rows {
		if r.name != base {
			continue
		}
		if some && r.options == nil {
			return nil, fmt.Errorf("strategy %q: %s has no options", name, base)
		}
		if some && options == "" {
			return nil, fmt.Errorf("strategy %q: nothing follows the slash: want one of these there: %s", name,
				strings.Join(r.options(), ", "))
		}
		s, err := r.make(params{seed, budget, options})
		if err != nil {
			return nil, fmt.Errorf("strategy %q: %w", name, err)
		}
		return s, nil
	}
	return nil, fmt.Errorf("unknown strategy %q: want one of %s", name, strings.Join(Names(), ", "))
}

// HeedsEffects reports whether the strategy of that name executes less for knowing what handlers read and write.
func HeedsEffects(name string) bool {
	if name == "" {
		name = "auto"
	}
	base, _, _ := strings.Cut(name, "/")
	for _, r := range rows {
		if r.name == base {
			return bool(r.effects)
		}
	}
	return false
}

// Names lists the strategies.
func Names() []string {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.name
	}
	return names
}

// Doc gives a line about each strategy.
func Doc() string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-16s %s", r.name, r.doc)
		if r.options != nil {
			fmt.Fprintf(&b, "\n%21soptions: /%s", "", strings.Join(r.options(), " /"))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
