package system

import (
	"errors"
	"fmt"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// startOf gives the start configuration of the first driver of a function.
func startOf(t *testing.T, p *Program, name string) *Start {
	t.Helper()
	ds := p.DriversOf(function(t, p, name))
	if len(ds) == 0 {
		t.Fatalf("%s makes no system", name)
	}
	s, err := p.Start(t.Context(), ds[0], Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// planner writes plans by names.
type planner struct {
	t     *testing.T
	p     *Program
	start *Start
	plan  Plan
}

// step adds a step: an actor of the start, the type of the message, and from where it comes.
func (w *planner) step(actor, message string, from Source) *planner {
	w.t.Helper()
	to := Agent{Start: -1, Step: -1}
	for i, a := range w.start.Actors {
		if a.Name == actor {
			to.Start = i
		}
	}
	var typ types.Type
	for _, pkg := range w.p.load.Packages {
		if o := pkg.Types.Scope().Lookup(message); o != nil && pkg.SSA == w.start.Driver.Entry.Pkg || o != nil && pkg.PkgPath+"_test" == w.start.Driver.Entry.Pkg.Pkg.Path() {
			typ = o.Type()
		}
	}
	if to.Start < 0 || typ == nil {
		w.t.Fatalf("no %s of %s", message, actor)
	}
	w.plan.Steps = append(w.plan.Steps, Step{To: to, Message: typ, From: from})
	return w
}

func event(step, n int) Source { return Source{Kind: Event, Step: step, Event: n} }

// values writes the messages from outside with their values.
func (w *Way) values() string {
	var b strings.Builder
	for i, e := range w.Outside {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s", w.Start.Actors[e.To].Name)
		for _, n := range e.Flat {
			fmt.Fprintf(&b, " %s=%v", n.Name, int64(w.Model.Eval(n.Term).Bits))
		}
	}
	return b.String()
}

func TestFollowBank(t *testing.T) {
	p := program(t, "../../examples", "./...")
	s := startOf(t, p, "TestBank")
	plan := &planner{t: t, p: p, start: s}
	plan.step("client", "Deposit", Source{}).step("client", "Withdraw", Source{}).step("server", "Withdraw", event(1, 0))
	plan.plan.Model = trace.Bag
	w, err := p.Follow(t.Context(), s, plan.plan, Goal{Panic: true}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.values(); got != "client msg.Number=0 msg.Amount=1; client msg.Number=0 msg.Amount=101" {
		t.Error(got)
	}
	want := `[{Actor: "client", Message: "Deposit", From: "Driver"} {Actor: "client", Message: "Withdraw", From: "Driver"} {Actor: "server", Message: "Withdraw", From: "client"}]`
	if got := fmt.Sprint(w.Order); got != want {
		t.Error(got)
	}
	for _, model := range []trace.Model{trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		plan.plan.Model = model
		_, err = p.Follow(t.Context(), s, plan.plan, Goal{Panic: true}, Config{})
		var stray *Stray
		if !errors.As(err, &stray) || !stray.Exact {
			t.Errorf("%v: %v, want that there is no way", model, err)
		}
	}
}

// Where a message is never sent, the reason says where it would come from and what would help.
func TestFollowMissing(t *testing.T) {
	p := program(t, "../../examples", "./...")
	for _, c := range []struct {
		from Source
		want string
	}{
		{event(0, 1), "Withdraw for server comes from a handler that takes a path on this way on which it does not send it"},
		{Source{Kind: Timer, Step: 0}, "Withdraw comes from a timer, and on this way the handler that is to set it for server"},
		{Source{Kind: Told}, "Withdraw comes from the framework, and on this way nothing has the framework send it to server"},
	} {
		plan := &planner{t: t, p: p, start: startOf(t, p, "TestBank")}
		plan.step("client", "Deposit", Source{}).step("server", "Withdraw", c.from)
		plan.plan.Model = trace.Bag
		_, err := p.Follow(t.Context(), plan.start, plan.plan, Goal{Panic: true}, Config{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.from, err, c.want)
		}
	}
}

// A panic at a place is not reached when its block is: the program has to panic, and there.
func TestFollowPanic(t *testing.T) {
	p := program(t, "../../examples", "./...")
	s := startOf(t, p, "TestBank")
	plan := &planner{t: t, p: p, start: s}
	plan.step("client", "Deposit", Source{}).step("client", "Withdraw", Source{}).step("server", "Withdraw", event(1, 0))
	plan.plan.Model = trace.Bag
	var server *ssa.Function
	for _, a := range s.Actors {
		if a.Name == "server" {
			server = a.Fn
		}
	}
	for _, c := range []struct {
		goal Goal
		is   bool
	}{
		{Goal{Block: server.Blocks[0]}, true},
		{Goal{Block: server.Blocks[0], Panic: true}, true},
		{Goal{Block: server.Blocks[0], Panic: true, Pos: server.Pos()}, false},
	} {
		if _, err := p.Follow(t.Context(), s, plan.plan, c.goal, Config{}); (err == nil) != c.is {
			t.Errorf("%+v: followed: %v, want %v", c.goal, err, c.is)
		}
		if w := p.Search(t.Context(), s, []Goal{c.goal}, trace.Bag, Bounds{Outside: 2, Steps: 3}).Ways[0]; (w != nil) != c.is {
			t.Errorf("%+v: found: %v, want %v", c.goal, w, c.is)
		}
	}
}

func TestFollowOverdraft(t *testing.T) {
	p := program(t, "../../examples", "./...")
	s := startOf(t, p, "TestOverdraft")
	amount := p.store.Var("msg.Amount", term.Word64)
	below := Goal{After: []*term.Term{p.store.SLess(p.store.Var("a.balance", term.Word64), p.store.Int(term.Word64, 0))}}
	domain := []*term.Term{p.store.SAtMost(p.store.Int(term.Word64, 1), amount), p.store.SAtMost(amount, p.store.Int(term.Word64, 1000))}
	for _, model := range []trace.Model{trace.FIFO, trace.Mailbox, trace.MailboxSerial} {
		plan := &planner{t: t, p: p, start: s, plan: Plan{Model: model}}
		plan.step("branch", "Pay", Source{}).step("online", "Pay", Source{}).
			step("account", "GetBalance", event(0, 0)).step("account", "GetBalance", event(1, 0)).
			step("branch", "Balance", event(2, 0)).step("online", "Balance", event(3, 0)).
			step("account", "Withdraw", event(4, 0)).step("account", "Withdraw", event(5, 0))
		for i := range 2 {
			plan.plan.Steps[i].Assume = domain
		}
		w, err := p.Follow(t.Context(), s, plan.plan, below, Config{})
		if err != nil {
			t.Fatal(model, err)
		}
		if got := w.values(); got != "branch msg.Amount=26; online msg.Amount=75" {
			t.Error(model, got)
		}
	}
	plan := &planner{t: t, p: p, start: s, plan: Plan{Model: trace.Mailbox}}
	plan.step("branch", "Pay", Source{}).step("account", "GetBalance", event(0, 0)).step("branch", "Balance", event(1, 0)).step("account", "Withdraw", event(2, 0))
	w, err := p.Follow(t.Context(), s, plan.plan, below, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.values(); got != "branch msg.Amount=-9223372036854775708" {
		t.Error(got)
	}
}

func TestFollowThreadRing(t *testing.T) {
	p := program(t, "../../examples", "./...")
	s := startOf(t, p, "TestThreadRing")
	for model, want := range map[trace.Model]bool{trace.Bag: true, trace.FIFO: true, trace.Causal: false, trace.Mailbox: false, trace.MailboxSerial: false} {
		plan := &planner{t: t, p: p, start: s, plan: Plan{Model: model}}
		plan.step("coordinator", "Start", Source{}).step("node-1", "Next", event(0, 0)).step("node-1", "Token", event(0, 3)).step("node-2", "Token", event(2, 0))
		w, err := p.Follow(t.Context(), s, plan.plan, Goal{Panic: true}, Config{})
		if (err == nil) != want || want && w.values() != "coordinator msg.Hops=2" {
			t.Errorf("%v: %v, %v", model, err, w)
		}
	}
}
