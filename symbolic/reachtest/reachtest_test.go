package reachtest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/trace"
)

// bank is the way to the bank's panic: the withdrawal overtakes the deposit.
func bank(t *testing.T, model trace.Model) *hand {
	x := program(t)
	h := x.by(t, model, "examples/bank_test", "TestBank", "day", "server", "client")
	day := x.fn(t, "examples/bank_test", "day")
	deposit, withdraw := x.typ(t, "examples/bank", "Deposit"), x.typ(t, "examples/bank", "Withdraw")
	h.sends(t, day, "Send", 0, 1, deposit, x.number("msg.Amount", 50)).sends(t, day, "Send", 1, 1, withdraw, x.number("msg.Amount", 120))
	h.outside(1, deposit, x.number("msg.Amount", 1)).outside(1, withdraw, x.number("msg.Amount", 101))
	return h.order(trace.OrderEntry{Actor: "client", Message: "Deposit", From: "Driver"}, trace.OrderEntry{Actor: "client", Message: "Withdraw", From: "Driver"},
		trace.OrderEntry{Actor: "server", Message: "Withdraw", From: "client"})
}

// A way that the program goes is confirmed by a test that expects what comes of it.
func TestConfirmed(t *testing.T) {
	h := bank(t, trace.Bag)
	o := h.confirm(t, "server.go:17", reachtest.Goal{Blocks: h.x.at(t, "bank/server.go", 17), Kind: "panic"})
	if !o.Covered || o.Finding == nil || o.Finding.Kind != "panic" || !strings.Contains(o.Diagram, "Withdraw{Number:0 Amount:101}") {
		t.Fatalf("%+v", o)
	}
	contains(t, string(o.Content), "ctx.Send(c, bank.Withdraw{Amount: 101})", "day_server_17(trusting)",
		`Expect: &rehearse.Expectation{Kind: rehearse.Panic, Text: "server panicked on Withdraw from client: withdrawal of 101 from a balance of 100"}`)
	if strings.Contains(string(o.Content), "50") {
		t.Error("the test still sends what the driver does")
	}
}

// built reports whether a further test is built and run, which takes one to three seconds: with REHEARSE_TOY.
func built() bool { return os.Getenv("REHEARSE_TOY") != "" }

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
}

// Channels that keep their order do not let the program go there.
func TestUnconfirmed(t *testing.T) {
	h := bank(t, trace.FIFO)
	h.way.Order = append(h.way.Order, trace.OrderEntry{Actor: "server", Message: "Deposit", From: "client"})
	o := h.confirm(t, "server.go:17", reachtest.Goal{Blocks: h.x.at(t, "bank/server.go", 17), Kind: "panic"})
	if o.Covered || !o.Unfollowed || !strings.Contains(o.Why, "the program does not go the way that was found") || !strings.Contains(o.Why, "entry 3") {
		t.Errorf("%v %s", o.Covered, o.Why)
	}
}

// Tests of one package run together. An execution that follows the order, and has the violation, and does not come to
// the block, is none that covers it. The heads of cases have no
// counters of their own: what their switch comes to tells.
func TestTogether(t *testing.T) {
	var jobs []reachtest.Job
	receive := func(h *hand, typ string) *ssa.Function { return h.x.method(t, "examples/bank", typ, "Receive") }
	for i, block := range []func(*hand) *ssa.BasicBlock{
		func(h *hand) *ssa.BasicBlock { return h.x.at(t, "bank/server.go", 19)[0] },
		func(h *hand) *ssa.BasicBlock { return head(t, receive(h, "Client"), "Deposit") },
		func(h *hand) *ssa.BasicBlock { return head(t, receive(h, "Server"), "Deposit") },
	} {
		h := bank(t, trace.Bag)
		w, err := reachtest.New(h.x.load, h.x.exec, reachtest.Wanted{Way: h.way, Name: "server.go:19", ID: fmt.Sprint("_", i)})
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, reachtest.Job{Test: w, Goal: reachtest.Goal{Blocks: []*ssa.BasicBlock{block(h)}}})
	}
	outcomes, err := reachtest.ConfirmAll(t.Context(), reachtest.Run{Scratch: t.TempDir()}, jobs)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"the order is followed, and the target is not executed", "",
		"the order is followed, and the target is not executed"} {
		if o := outcomes[i]; o.Covered != (want == "") || o.Why != want {
			t.Errorf("job %d: %v %q, want %q", i, o.Covered, o.Why, want)
		}
	}
}

// head gives the block that looks whether a message is of a type.
func head(t *testing.T, fn *ssa.Function, typ string) *ssa.BasicBlock {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ssa.TypeAssert); ok && strings.HasSuffix(a.AssertedType.String(), "."+typ) {
				return b
			}
		}
	}
	t.Fatalf("%s has no case for %s", fn, typ)
	return nil
}

// What the drivers of these send goes through functions of the program, which their copies call with other arguments.
func TestArguments(t *testing.T) {
	x := program(t)
	h := x.by(t, trace.Mailbox, "examples/overdraft_test", "TestOverdraft", "payments", "account", "officer-2", "officer-1", "branch", "online")
	pay, send := x.typ(t, "examples/overdraft", "Pay"), x.method(t, "examples/overdraft", "Bank", "Pay")
	h.sends(t, send, "Send", 0, 3, pay, x.number("msg.Amount", 60)).sends(t, send, "Send", 0, 4, pay, x.number("msg.Amount", 80))
	h.outside(4, pay, x.number("msg.Amount", 70)).outside(3, pay, x.number("msg.Amount", 31)).outside(3, pay, x.number("msg.Amount", 60))
	h.outside(4, x.typ(t, "examples/overdraft", "Paid"), x.number("msg.Amount", 5))
	h.order(trace.OrderEntry{Actor: "account", Message: "Withdraw", From: "online"})
	contains(t, h.source(t, "account.go:28"), "\t\tpay(\"online\", 70)\n\t\tpay(\"branch\", 31)\n\t\tpay(\"branch\", 60)\n\t\tprotoactor.Send(t, \"online\", overdraft.Paid{Amount: 5})\n\t\tt.AtEnd(", "payments_account_28(false)", "Model: rehearse.Mailbox,")

	h = x.by(t, trace.FIFO, "examples/threadring_test", "TestThreadRing", "round", "node-1", "node-2", "node-3", "coordinator")
	h.sends(t, x.method(t, "examples/threadring", "Ring", "Start"), "Send", 0, 3, x.typ(t, "examples/threadring", "Start"), x.number("msg.Hops", 3))
	h.outside(3, x.typ(t, "examples/threadring", "Start"), x.number("msg.Hops", 2))
	h.order(trace.OrderEntry{Actor: "node-2", Message: "Token", From: "node-1"})
	contains(t, h.source(t, "node.go:26"), "\t\tring.Start(2)\n\t\tt.AtEnd(", "Checks: overtaken.Checks,")
}

// A check at the end of the driver is in the copy, too: that it fails there counts for the original.
func TestCheckAtEnd(t *testing.T) {
	x := program(t)
	h := x.by(t, trace.Mailbox, "examples/overdraft_test", "TestOverdraft", "payments", "account", "officer-2", "officer-1", "branch", "online")
	pay, send := x.typ(t, "examples/overdraft", "Pay"), x.method(t, "examples/overdraft", "Bank", "Pay")
	h.sends(t, send, "Send", 0, 3, pay, x.number("msg.Amount", 60)).sends(t, send, "Send", 0, 4, pay, x.number("msg.Amount", 80))
	h.outside(3, pay, x.number("msg.Amount", -9223372036854775708))
	h.order(trace.OrderEntry{Actor: "account", Message: "Withdraw", From: "branch"})
	o := h.confirm(t, "overdraft_test.go:40", reachtest.Goal{Blocks: x.at(t, "overdraft/overdraft_test.go", 40)})
	if !o.Covered || o.Finding == nil || o.Finding.Kind != "assertion" {
		t.Errorf("covered %v: %s, %+v", o.Covered, o.Why, o.Finding)
	}
}

// What set-up comes to has no order to follow: the test executes the program once.
func TestNoOrder(t *testing.T) {
	x := program(t)
	h := x.by(t, trace.Mailbox, "examples/overdraft_test", "TestOverdraft", "payments", "account", "officer-2", "officer-1", "branch", "online")
	if !built() {
		contains(t, h.source(t, "bank.go:30"), `Budget: "1x",`)
		return
	}
	o := h.confirm(t, "bank.go:30", reachtest.Goal{Blocks: x.at(t, "overdraft/bank.go", 30)})
	if !o.Covered {
		t.Fatalf("%+v", o)
	}
	contains(t, string(o.Content), `Budget: "1x",`)
	if strings.Contains(string(o.Content), "Guide") {
		t.Error("the test has an order to follow")
	}
}

// A way with the messages of the driver leaves these as they are. One whose timers fire at any time says so.
func TestOwn(t *testing.T) {
	h := bank(t, trace.Bag)
	h.way.Own, h.way.Outside, h.way.Async = true, nil, true
	if !built() {
		contains(t, h.source(t, "server.go:17"), "Guide: trace.Order{", "Timers: rehearse.Async,")
		return
	}
	o := h.confirm(t, "server.go:17", reachtest.Goal{Blocks: h.x.at(t, "bank/server.go", 17), Kind: "panic"})
	if !o.Covered {
		t.Fatalf("%+v", o)
	}
	contains(t, string(o.Content), "bank.Deposit{Amount: 50}", "bank.Withdraw{Amount: 120}", "Guide: trace.Order{", "is day.\n", "Timers: rehearse.Async,")
}

// A message that the driver's package cannot name, and that no call of the driver sends, is the reason why there is no
// test.
func TestUnexported(t *testing.T) {
	h := bank(t, trace.Bag)
	h.outside(1, h.x.typ(t, "examples/overdraft", "account"))
	_, err := reachtest.New(h.x.load, h.x.exec, reachtest.Wanted{Way: h.way, Name: "server.go:17"})
	var no *reachtest.Unwritable
	if !errors.As(err, &no) || !strings.Contains(err.Error(), "overdraft.account is not exported, and no call of the driver sends it") {
		t.Errorf("the error is %v", err)
	}
}

// Lines that are no targets are told apart.
func TestLines(t *testing.T) {
	x := program(t)
	path := func(file string) string {
		abs, err := filepath.Abs("../../examples/" + file)
		if err != nil {
			t.Fatal(err)
		}
		return abs
	}
	for _, l := range []struct {
		file      string
		line      int
		kind, err string
	}{
		{file: "bank/server.go", line: 17, kind: "panic"},
		{file: "bank/server.go", line: 19},
		{file: "overdraft/overdraft_test.go", line: 40, kind: "assertion"},
		{file: "bank/server.go", line: 11, err: "bank/server.go:11 has no code: the next line with code is 14"},
		{file: "bank/server.go", line: 1100, err: "there is no line 1100"},
		{file: "bank/client_rehearse_test.go", line: 12, err: "is generated"},
		{file: "bank/nobody.go", line: 12, err: "there is no file"},
		{file: "barber/barber.go", line: 1, err: "is in none of the packages that were read"},
	} {
		err := reachtest.CheckLine(path(l.file), l.line)
		var found *reachtest.Line
		if err == nil || l.file == "barber/barber.go" {
			found, err = reachtest.FindLine(x.load, path(l.file), l.line)
		}
		switch {
		case l.err != "" && (err == nil || !strings.Contains(err.Error(), l.err)):
			t.Errorf("%s:%d: the error is %v, want %s", l.file, l.line, err, l.err)
		case l.err == "" && err != nil:
			t.Error(err)
		case l.err == "" && found.Kind != l.kind:
			t.Errorf("%s:%d is of kind %q, want %q", l.file, l.line, found.Kind, l.kind)
		}
	}
	for _, arg := range []string{"server.go", "server.go:", "server.go:0", "server:3", ":3"} {
		if _, _, err := reachtest.ParseLine(arg); err == nil {
			t.Errorf("%q is taken for a line", arg)
		}
	}
}

// A panic counts that the driver lets pass, since supervisors know what to do, if it is asked for: the test takes it
// for an error.
func TestPassedPanic(t *testing.T) {
	if !built() {
		return
	}
	x := program(t)
	const other = "the order is followed, and the finding is of kind assertion, not panic"
	for passed, want := range map[bool]string{false: other, true: ""} {
		h := x.by(t, trace.Mailbox, "examples/restart_test", "TestRestart", "campaign", "cart", "codes", "marketing", "shopper")
		buy, mail := x.typ(t, "examples/restart", "Buy"), x.typ(t, "examples/restart", "Mailing")
		h.sends(t, x.method(t, "examples/restart", "Shop", "Buy"), "Send", 0, 3, buy, x.number("msg.Cents", 500))
		h.sends(t, x.method(t, "examples/restart", "Shop", "Mail"), "Send", 0, 2, mail, x.number("msg.Percent", 25)).outside(2, mail, x.number("msg.Percent", 25))
		h.order(trace.OrderEntry{Actor: "cart", Message: "Voucher", From: "marketing"})
		o := h.confirm(t, "cart.go:31", reachtest.Goal{Kind: "panic", Passed: passed})
		if o.Covered != passed || o.Why != want || passed && !strings.Contains(string(o.Content), "levels := maps.Clone(emptied.Checks)") {
			t.Errorf("passed %v: %v %q\n%s", passed, o.Covered, o.Why, o.Content)
		}
	}
}
