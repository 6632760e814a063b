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

// A main becomes the function of a test: without what waits for people, and what comes behind that. The rest of these functions cannot.
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
	h := x.byItself(t, "main")
	sale := x.typ(t, plain, "Sale")
	for range 3 {
		h.sends(t, x.fn(t, plain, "main"), "Send", 0, 0, sale, x.number("msg.Amount", 1))
	}
	h.outside(0, sale, x.number("msg.Amount", 0)).outside(0, sale, exec.Named{Name: "msg.Amount", Term: x.number("", -1).Term})
	sold := trace.OrderEntry{Actor: "main", Message: "Sale", From: "Driver"}
	o := h.order(sold, sold).confirm(t, "main.go:25", reachtest.Goal{Blocks: x.prototest(t, 25), Kind: "panic"})
	if !o.Covered || o.Finding == nil || !o.Finding.Expected || !strings.Contains(o.Finding.Text, "the till is short of money") {
		t.Errorf("%+v", o)
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

// prototest gives the blocks of a line of that main.
func (x *examples) prototest(t *testing.T, line int) []*ssa.BasicBlock {
	return x.at(t, "../symbolic/tasks/prototest/programs/plain/main.go", line)
}
