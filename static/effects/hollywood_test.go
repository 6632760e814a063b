package effects

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// tally is a program of Hollywood whose handlers write fields of their own, beside some of which more has to be said.
const tally = `package tally

import (
	"time"

	"github.com/anthdm/hollywood/actor"
)

type (
	Named   struct{ name string }
	Visited struct{}
	Asked   struct{}
	Count   struct{ n int }
	Grow    struct{}
	Close   struct{}
	Missed  struct{}
	Later   struct{}
)

type counter struct {
	name   string
	visits int
	from   *actor.PID
}

func (c *counter) Receive(ctx *actor.Context) {
	switch m := ctx.Message().(type) {
	case Named:
		c.name = m.name
	case Visited:
		c.visits++
	case Asked:
		ctx.Respond(Count{c.visits})
	}
}

type asker struct {
	engine *actor.Engine
	to     *actor.PID
	got    int
	counts int
}

func (a *asker) Receive(ctx *actor.Context) {
	switch m := ctx.Message().(type) {
	case Asked:
		ctx.Send(a.to, m)
	case Visited:
		ctx.Forward(a.to)
	case Count:
		a.got = m.n
		a.counts++
	case Grow:
		a.engine.Spawn(func() actor.Receiver { return &counter{} }, "counter")
	case Close:
		a.engine.Poison(a.to)
	case Later:
		ctx.SendRepeat(a.to, Visited{}, time.Second)
	case Missed:
		a.engine.BroadcastEvent(m)
	}
}

type parent struct{ n, grown int }

func (p *parent) Receive(ctx *actor.Context) {
	switch ctx.Message().(type) {
	case Visited:
		p.n++
	case Grow:
		p.grown++
		ctx.SpawnChildFunc(leaf, "leaf", actor.WithID("1"))
	}
}

func leaf(ctx *actor.Context) {
	if _, ok := ctx.Message().(Asked); ok {
		ctx.Engine().Send(ctx.Sender(), Count{1})
	}
}

// Count counts with one actor and asks with another.
func Start(e *actor.Engine) {
	c := e.Spawn(func() actor.Receiver { return &counter{} }, "counter")
	a := e.Spawn(func() actor.Receiver { return &asker{engine: e, to: c} }, "asker")
	e.Send(c, Named{"one"})
	e.Send(c, Visited{})
	e.Send(a, Asked{})
	e.Spawn(func() actor.Receiver { return &parent{} }, "parent")
}
`

const tallyTest = `package tally_test

import (
	"tally"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/hollywood"
)

func counts() rehearse.System {
	return hollywood.System(func(*rehearse.T) { tally.Start(hollywood.NewEngine()) })
}
`

// moduleOf is a module of its own with a program of a framework, by the name of the adapter.
func moduleOf(t *testing.T, framework string, files map[string]string) (dir string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	adapter := filepath.Join(root, "adapter", framework)
	mod, err := os.ReadFile(filepath.Join(adapter, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(adapter, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, requires, _ := strings.Cut(string(mod), "\n")
	requires, _, _ = strings.Cut(requires, "replace")
	const own = "github.com/rehearse-go/rehearse"
	files["go.mod"] = fmt.Sprintf("module tally\n%s\nrequire %s/adapter/%s v0.0.0\n\nreplace %s => %s\n\n"+
		"replace %s/adapter/%s => %s\n", requires, own, framework, own, root, own, framework, adapter)
	files["go.sum"] = string(sum)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	return dir
}

// What handlers of Hollywood do is known; those that spawn may do anything, since new actors handle their first messages
// in that step, and so may all of an actor with children.
func TestHollywood(t *testing.T) {
	f, _, err := Facts(moduleOf(t, "hollywood", map[string]string{"tally.go": tally}), ".")
	if err != nil {
		t.Fatal(err)
	}
	for who, want := range map[string]string{
		"tally.counter/tally.Named":   "writes [name]",
		"tally.counter/tally.Visited": "reads [visits], writes [visits]",
		"tally.counter/tally.Asked":   "reads [visits], sends [tally.Count back to [tally.asker]]",
		"tally.asker/tally.Asked":     "reads [to], sends [tally.Asked to [tally.counter]]",
		"tally.asker/tally.Visited":   "reads [to], sends [tally.Visited to []]", // nobody sends it
		"tally.asker/tally.Count":     "reads [counts], writes [counts got]",
		"tally.asker/tally.Grow":      "unknown: it spawns an actor, which handles its first messages in the same step",
		"tally.asker/tally.Close":     "reads [engine to], stops",
		"tally.asker/tally.Later":     "reads [to], sends [tally.Visited to []], also [timer]",
		"tally.asker/tally.Missed":    "unknown: it calls", // BroadcastEvent
		"tally.parent/tally.Visited":  "unknown: it has children, who leave the list of them when they end",
		"tally.leaf/tally.Asked":      "sends [tally.Count back to []]",
	} {
		actor, message, _ := strings.Cut(who, "/")
		if got := toldWithReceivers(f.Of(actor, message)); got != want {
			t.Errorf("%s: %s\n\twant %s", who, got, want)
		}
	}
	if n := f.Usable(); n != 8 {
		t.Errorf("%d handlers can save executions", n)
	}
	cases := f.Cases()["tally.counter"]
	if slices.Compare(cases.Types, []string{"tally.Asked", "tally.Named", "tally.Visited"}) != 0 || !cases.Ignores {
		t.Errorf("counter has cases %+v", cases)
	}
	for _, a := range f.Actors {
		if a.Framework != facts.Hollywood {
			t.Errorf("%s is of %s", a.Name, a.Framework)
		}
	}
}

// Facts save executions of a program of Hollywood, and no strategy finds anything else with them. With REHEARSE_TOY the
// example is explored too.
func TestSavedByHollywood(t *testing.T) {
	dir := moduleOf(t, "hollywood", map[string]string{"tally.go": tally, "tally_test.go": tallyTest})
	lobby, err := filepath.Abs("../../adapter/hollywood/lobby")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		example
		dir string
	}{
		{example{"tally", "rehearse.Config{}", "", "counts()"}, dir},
		{example{"lobby", "hangs", "evening(false)", "evening(true)"}, lobby},
	} {
		if c.pkg == "lobby" && os.Getenv("REHEARSE_TOY") == "" {
			continue
		}
		saved := 0
		rows := c.exploreIn(t, c.dir, "source optimal reverse select", 2_000)
		for at, with := range rows {
			if at.facts {
				saved += sameWithFacts(t, c.pkg, at, rows, with, "")
			}
		}
		if saved == 0 {
			t.Errorf("%s: %d executions saved in %d explorations", c.pkg, saved, len(rows))
		}
		t.Logf("%s: %d executions saved in %d explorations", c.pkg, saved, len(rows))
	}
}

// sameWithFacts compares an exploration with facts with that without, and gives how many executions they save. Each fact
// has to fit, but for those that are set aside for a reason; "": there is none.
func sameWithFacts(t *testing.T, name string, at cell, rows map[cell]explored, with explored, reason string) int {
	t.Helper()
	at.facts = false
	without := rows[at]
	aside := strings.Contains(with.said, ";") && (reason == "" || !strings.Contains(with.said, reason))
	if with.complete != without.complete || with.violations != without.violations ||
		with.executions > without.executions || !strings.HasPrefix(with.said, "facts of ") || aside {
		t.Errorf("%s, %v: with facts %+v, without %+v", name, at, with, without)
	}
	return without.executions - with.executions
}
