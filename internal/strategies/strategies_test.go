package strategies

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// Strategies that are said to heed declared effects execute less for them, and others the same.
func TestHeedsEffects(t *testing.T) {
	executions := func(name string, effects trace.Effects) int {
		s, err := New(name, 1, 200)
		if err != nil {
			t.Fatal(err)
		}
		out, err := explore.Run(subjects.Registry(), s,
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Effects: effects},
				Budget: explore.Budget{Executions: 200}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return out.Executions
	}
	for _, name := range append(Names(), "", "source/LCA", "reverse/3") {
		option := map[string]string{"delay": "delay/2"}[name]
		if option == "" {
			option = name
		}
		without, with := executions(option, nil), executions(option, subjects.RegistryEffects())
		if heeds := HeedsEffects(name); heeds != (with < without) || with > without {
			t.Errorf("%q: %d executions, %d with effects; heeds them: %t", name, without, with, heeds)
		}
	}
	if HeedsEffects("clever") {
		t.Error("a strategy that there is not heeds effects")
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ name, want, err string }{
		{"", "auto", ""},
		{"naive", "naive", ""},
		{"stateful", "stateful", ""},
		{"stateful/bfs/generic", "stateful/generic/bfs", ""},
		{"stateful/big/literal", "stateful/literal/big", ""},
		{"stateful/literal/generic", "stateful/generic/literal", ""},
		{"stateful/small", "", "unknown option \"small\": want some of generic,"},
		{"dcute", "dcute", ""},
		{"persistent/LCA", "persistent/LCA", ""},
		{"persistent+sleep/sgr", "persistent+sleep/SGR", ""},
		{"trans/auto", "trans", ""},
		{"select", "select", ""},
		{"select/plain/100-9-2", "select/100-9-2/plain", ""},
		{"select/figure6/lemma1", "select/lemma1/figure6", ""},
		{"select/better", "", "strategy \"select/better\": unknown option \"better\": want some of weights as 100-10-1, " +
			"plain,"},
		{"select/1-0-1", "", "weights \"1-0-1\": want three numbers from 1"},
		{"optimal/stable", "optimal/STABLE", ""},
		{"persistent/best", "", "strategy \"persistent/best\": unknown order of actors \"best\": want one of auto, ECA, " +
			"LCA, FIFO, LIFO, LDM, HDM, HMS, SGR, STABLE"},
		{"reverse/3", "reverse/3", ""},
		{"reverse/iterative", "reverse/iterative", ""},
		{"reverse/-3", "", "strategy \"reverse/-3\": unknown bound \"-3\": want a number of deviations, as in reverse/3, " +
			"or reverse/iterative"},
		{"delay/2", "delay/2", ""},
		{"delay/2/random", "delay/2/random", ""},
		{"delay/2/random/first", "delay/2/random/first", ""},
		{"delay/2/often", "", "unknown option \"often\": want a number of delays, and maybe random behind it"},
		{"delay", "", "random delays of messages are another strategy, delays"},
		{"delay", "", "strategy \"delay\": unknown bound \"\": want a number of delays, as in delay/2"},
		{"reverse/", "", "strategy \"reverse/\": nothing follows the slash: want one of these there: a number of " +
			"deviations, iterative"},
		{"source/", "", "nothing follows the slash: want one of these there: auto, ECA, LCA,"},
		{"stateful/", "", "nothing follows the slash: want one of these there: generic,"},
		{"stateful/bfs/", "", "unknown option \"\": want some of generic,"},
		{"reverse/3/", "", "unknown bound \"3/\""},
		{"naive/", "", "naive has no options"},
		{"delays", "delays/100", ""},
		{"delays/300", "delays/300", ""},
		{"delays/0", "", "strategy \"delays/0\": unknown bound \"0\": want the longest delay of a message in milliseconds, " +
			"from 1 to"},
		{"pct", "pct/3", ""},
		{"pct/5", "pct/5", ""},
		{"pct/first", "pct/3/first", ""},
		{"pct/5/first", "pct/5/first", ""},
		{"pct/5/last", "", "unknown depth \"5/last\""},
		{"pct/0", "", "unknown depth \"0\": want how many steps a bug needs in one order"},
		{"pos", "pos", ""},
		{"pos/3", "", "pos has no options"},
		{"surw", "surw", ""},
		{"surw/all", "surw/all", ""},
		{"cover/shared", "cover/shared", ""},
		{"cover/share", "", "strategy \"cover/share\": unknown option \"share\": want one of shared, literal,"},
		{"surw/first", "surw/first", ""},
		{"surw/all/first", "surw/all/first", ""},
		{"surw/some", "", "unknown option \"some\": want all, as in surw/all, first, as in surw/first"},
		{"naive/bfs", "", "naive has no options"},
		{"source/LCA", "source/LCA", ""},
		{"optimal/hms", "optimal/HMS", ""},
		{"optimal", "optimal", ""},
		{"clever", "", "unknown strategy \"clever\": want one of auto,"},
	} {
		s, err := New(tt.name, 1, 0)
		switch {
		case tt.err != "":
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: error %v, want one with %q", tt.name, err, tt.err)
			}
		case err != nil:
			t.Errorf("%q: %v", tt.name, err)
		case s.Name() != tt.want:
			t.Errorf("%q makes %q, want %q", tt.name, s.Name(), tt.want)
		}
	}
	for _, name := range Names() {
		if !strings.Contains(Doc(), "  "+name+" ") {
			t.Errorf("Doc has no line for %s", name)
		}
	}
}

// A violation in set-up ends an execution before there is anything to choose. Every strategy reports it.
func TestViolationInSetUp(t *testing.T) {
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		var a actor.Ref
		t.SetUp(func() {
			a = ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.T().Errorf("in set-up") }))
			ctx.Send(a, 1)
		})
		ctx.Send(a, 2)
		ctx.Send(a, 3)
	})
	for _, name := range Names() {
		for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
			if name == "delay" {
				name += "/1"
			}
			c := explore.Conditions{Model: model}
			s, err := New(name, 1, 10)
			if err != nil {
				t.Fatal(err)
			}
			if explore.BindTo(s, explore.Env{Conditions: c}) != nil {
				continue
			}
			keys := map[string]bool{}
			if _, err = explore.Run(sys, s,
				explore.Options{Conditions: c, Budget: explore.Budget{Executions: 10}, Check: &check.Checker{},
					Found: func(f explore.Found) bool { keys[f.Violations[0].Key()] = true; return true }}); err != nil ||
				len(keys) != 1 {
				t.Errorf("%s under %s: %v, findings %v, want one", name, model, err, keys)
			}
		}
	}
}
