package reachtest_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/trace"
)

const plain = "prototest/programs/plain"

// byItself begins a way whose driver uses protoactor-go without Rehearse.
func (x *examples) byItself(t *testing.T, entry string) *hand {
	h := x.by(t, trace.Mailbox, plain, entry, "NewActorSystem", entry)
	h.way.Start.Driver.Proto, h.way.Start.Driver.Plain = true, true
	return h
}

// A main becomes the function of a test: without what waits for people, and what comes behind that. The rest of these
// functions cannot.
func TestPlain(t *testing.T) {
	x, err := readPackages("../tasks/prototest", "./programs/plain")
	if err != nil {
		t.Fatal(err)
	}
	for entry, why := range map[string]string{"withFlag": "withFlag defines a flag each time it runs", "withKey": "withKey waits for somebody outside, and goes on with what comes",
		"withResult": "has results", "withParameter": "has parameters"} {
		var no *reachtest.Unwritable
		if _, err := reachtest.New(x.load, x.exec, reachtest.Wanted{Way: x.byItself(t, entry).way, Name: "main.go:1"}); !errors.As(err, &no) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: the error is %v, want %s", entry, err, why)
		}
	}
	seenToWait(t, x)
	contains(t, x.byItself(t, "TestTill").source(t, "main.go:25"), "func testTill_main_25(t *rehearse.T) {")
	h := x.byItself(t, "main")
	sale := x.typ(t, plain, "Sale")
	for range 3 {
		h.sends(t, x.fn(t, plain, "main"), "Send", 0, 0, sale, x.number("msg.Amount", 1))
	}
	h.outside(0, sale, x.number("msg.Amount", 0)).outside(0, sale, exec.Named{Name: "msg.Amount", Term: x.number("", -1).Term})
	sold := trace.OrderEntry{Actor: "main", Message: "Sale", From: "Driver"}
	h.order(sold, sold)
	w := x.asking(t, "withAnswer").written(t, "main.go:78")
	outcomes, err := reachtest.ConfirmAll(t.Context(), reachtest.Run{Scratch: t.TempDir()}, []reachtest.Job{
		{Test: h.written(t, "main.go:25"), Goal: reachtest.Goal{Blocks: x.prototest(t, 25), Kind: "panic"}},
		{Test: w, Goal: reachtest.Goal{Blocks: x.prototest(t, 78)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := outcomes[0]
	if !o.Covered || o.Finding == nil || !o.Finding.Expected || !strings.Contains(o.Finding.Text, "the till is short of money") {
		t.Errorf("%+v", o)
	}
	if o := outcomes[1]; !o.Covered || o.Finding != nil || strings.Contains(string(o.Content), "the total is\", total)\n}") {
		t.Errorf("%+v\n%s", o, o.Content)
	}
	contains(t, string(outcomes[1].Content), "system.Root.RequestFuture(clerk, Sale{Amount: 7}, time.Second)\n}")
	if stay := strings.Join(x.asking(t, "withDecision").written(t, "main.go:78").Stay, "\n"); !strings.Contains(stay, "waits for the answer") {
		t.Errorf("what stays: %s", stay)
	}
	test := string(o.Content)
	contains(t, test, "protoactor.System(main_main_25))", "func main_main_25(t *rehearse.T) {", `{Actor: "main_main_25", Message: "Sale", From: "Driver"}`, "system.Root.Send(till, Sale{Amount: -1})",
		"//\tmain.go:18: flag.Parse()\n//\tmain.go:20", "main.go:36: sig := <-stop")
	_, code, _ := strings.Cut(test, "func main_main_25")
	for _, not := range []string{"Sleep", "Parse", "signal.Notify", "stop", "Stop", "Shutdown", "range 3", "closed by"} {
		if strings.Contains(code, not) {
			t.Errorf("the test still has %s:\n%s", not, code)
		}
	}
}

// Goroutines that send are guests from outside, who are replaced; what creates actors stays.
func TestGuests(t *testing.T) {
	x, err := readPackages("../tasks/prototest", "./programs/plain")
	if err != nil {
		t.Fatal(err)
	}
	h, sale := x.byItself(t, "withGuests"), x.typ(t, plain, "Sale")
	h.way.Start.Actors[0].Name = "answer"
	w := h.outside(0, sale, x.number("msg.Amount", 7)).order(trace.OrderEntry{Actor: "answer", Message: "Sale", From: "Driver"}).written(t, "main.go:78")
	if got := strings.Join(w.Stay, "\n"); !strings.Contains(got, "the test does without guests.go:18: go func() { ...") || strings.Contains(got, "guests.go:23") {
		t.Errorf("what is told: %s", got)
	}
	content, err := w.Source()
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(content), "go func() { log.Println(system.Root.Spawn(", `protoactor.Send(t, "answer", Sale{Amount: 7})`)
	if _, code, _ := strings.Cut(string(content), "func withGuests"); strings.Contains(code, "ask(") || strings.Contains(code, ".Wait(") {
		t.Errorf("the test still asks, or waits:\n%s", code)
	}
}

// prototest gives the blocks of a line of that main.
func (x *examples) prototest(t *testing.T, line int) []*ssa.BasicBlock {
	return x.at(t, "../symbolic/tasks/prototest/programs/plain/main.go", line)
}

// asking begins a way whose driver makes a request.
func (x *examples) asking(t *testing.T, entry string) *hand {
	h, sale := x.byItself(t, entry), x.typ(t, plain, "Sale")
	h.way.Start.Actors[0].Name = "answer"
	h.sends(t, x.fn(t, plain, entry), "RequestFuture", 0, 0, sale, x.number("msg.Amount", 1)).outside(0, sale, x.number("msg.Amount", 7))
	return h.order(trace.OrderEntry{Actor: "answer", Message: "Sale", From: "Driver"})
}

func (h *hand) written(t *testing.T, name string) *reachtest.Test {
	t.Helper()
	w, err := reachtest.New(h.x.load, h.x.exec, reachtest.Wanted{Way: h.way, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
