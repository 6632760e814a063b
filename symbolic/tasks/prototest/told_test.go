package prototest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/tasks"
)

// TestPrinted: what people read, of the example whose orders stay open for other messages.
func TestPrinted(t *testing.T) {
	p := program(t, "../../../examples/deadlock")
	r, err := p.Cases(t.Context(), "deadlock.openOrders", "deadlock.Place", tasks.Config{Policy: tasks.LIFO})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r.Print(&b)
	var lines []string
	for line := range strings.Lines(b.String()) {
		if f := strings.Fields(line); !slices.Contains([]string{"before", "after", "example", "marks"}, f[0]) {
			lines = append(lines, strings.TrimRight(strings.ReplaceAll(line, "deadlock.openOrders.deadlock.", ""), "\n"))
		}
	}
	if got := strings.Join(lines, "\n"); got != strings.TrimSpace(printed) {
		t.Errorf("got\n%s\nwant\n%s", got, printed)
	}
}

const printed = `
deadlock.openOrders on deadlock.Place: 8 cases, complete
  hypothetical: the mailboxes of protoactor-go are fifo, with system messages first; a case by the policy lifo need have no execution
  case 1: panic: send to a nil reference
    if         o.orders.inventory == nil
    order      Place
  case 2: no reply
    if         o.orders.inventory != nil, o.orders.timeout == 0
    order      Place, Place (await answer1: timeout)
    answers    answer1 to deadlock.Reserve of ref(o.orders.inventory): timeout
    sends      deadlock.Reserve{msg.Item = msg.Item, msg.Count = msg.Count} to ref(o.orders.inventory)
  case 3: panic: nil dereference
    if         o.orders.inventory != nil, o.orders.timeout != 0, answer1 holds deadlock.Reserved, answer1.(deadlock.Reserved).OK, o.orders.book == nil
    order      Place, Place (await answer1)
    answers    answer1 to deadlock.Reserve of ref(o.orders.inventory): a reply
    sends      deadlock.Reserve{msg.Item = msg.Item, msg.Count = msg.Count} to ref(o.orders.inventory)
  case 4: no reply
    if         o.orders.inventory != nil, o.orders.timeout != 0, answer1 holds deadlock.Reserved, answer1.(deadlock.Reserved).OK, o.orders.book != nil
    order      Place, Place (await answer1)
    answers    answer1 to deadlock.Reserve of ref(o.orders.inventory): answer1.(deadlock.Reserved).OK = answer1.(deadlock.Reserved).OK
    sends      deadlock.Reserve{msg.Item = msg.Item, msg.Count = msg.Count} to ref(o.orders.inventory)
  case 5: no reply
    if         o.orders.inventory != nil, o.orders.timeout != 0, answer1 holds deadlock.Reserved, !answer1.(deadlock.Reserved).OK
    order      Place, Place (await answer1)
    answers    answer1 to deadlock.Reserve of ref(o.orders.inventory): answer1.(deadlock.Reserved).OK = answer1.(deadlock.Reserved).OK
    sends      deadlock.Reserve{msg.Item = msg.Item, msg.Count = msg.Count} to ref(o.orders.inventory)
  case 6: no reply
    if         o.orders.inventory != nil, o.orders.timeout != 0, answer1 does not hold deadlock.Reserved
    order      Place, Place (await answer1)
    answers    answer1 to deadlock.Reserve of ref(o.orders.inventory): a reply
    sends      deadlock.Reserve{msg.Item = msg.Item, msg.Count = msg.Count} to ref(o.orders.inventory)
  case 7: no reply
    if         o.orders.inventory != nil, o.orders.timeout != 0
    order      Place, Place (await answer1: dead letter)
    answers    answer1 to deadlock.Reserve of ref(o.orders.inventory): dead letter
    sends      deadlock.Reserve{msg.Item = msg.Item, msg.Count = msg.Count} to ref(o.orders.inventory)
  case 8: no reply
    if         o.orders.inventory != nil, o.orders.timeout != 0, o.orders.timeout >= 0
    order      Place, Place (await answer1: timeout)
    answers    answer1 to deadlock.Reserve of ref(o.orders.inventory): timeout
    sends      deadlock.Reserve{msg.Item = msg.Item, msg.Count = msg.Count} to ref(o.orders.inventory)
`

// TestBounds: what is not followed is counted or marked, and what cannot be asked for is refused.
func TestBounds(t *testing.T) {
	p := program(t, "programs")
	for _, tt := range []struct {
		actor, message string
		config         tasks.Config
		want           string
	}{
		{"Boss", "Deep", tasks.Config{Actors: 1}, "1 cases, cuts [more than 1 new actors], stuck 0, marks []"},
		{"Boss", "Deep", tasks.Config{Actors: 2}, "2 cases, cuts [more than 2 new actors], stuck 0, marks []"},
		{"Boss", "Self", tasks.Config{}, "1 cases, cuts [], stuck 0, marks []"},
		{"Boss", "Twice", tasks.Config{}, "1 cases, cuts [], stuck 0, marks [env: a second answer to one request: protoactor-go may give either]"},
		{"Boss", "Unknown", tasks.Config{}, "3 cases, cuts [], stuck 0, marks [env: Request: an answer that comes as a message is not followed]"},
		{"Pair", "Both", tasks.Config{Switches: 1}, "2 cases, cuts [more than 1 switches of programs.Pair], stuck 0, marks []"},
		{"Odd", "Forever", tasks.Config{}, "0 cases, cuts [], stuck 1, marks []"},
		{"Odd", "Ends", tasks.Config{}, "0 cases, cuts [the end of an actor of the case], stuck 0, marks []"},
		{"Odd", "Watches", tasks.Config{}, "2 cases, cuts [], stuck 0, marks [env: Watch: the end of an actor that is watched is not followed]"},
		{"Odd", "Grows", tasks.Config{}, "1 cases, cuts [], stuck 0, marks [env: Spawn: what the new actor does is not known, it counts as one outside of the case]"},
		{"Odd", "Waits", tasks.Config{}, "0 cases, cuts [a future that is not known], stuck 0, marks []"},
		{"Odd", "Closes", tasks.Config{}, "3 cases, cuts [], stuck 0, marks [env: StopFuture: the end of the actor, which its parent and its watchers get, is not followed]"},
	} {
		r, err := p.Cases(t.Context(), "programs."+tt.actor, "programs."+tt.message, tt.config)
		if err != nil {
			t.Fatal(err)
		}
		marks := map[string]bool{}
		for _, c := range r.Cases {
			for _, m := range c.Marks {
				marks[m.Kind.String()+": "+m.What] = true
			}
		}
		got := fmt.Sprintf("%d cases, cuts %v, stuck %d, marks %v", len(r.Cases), slices.Sorted(maps.Keys(r.Cuts)), r.Stuck, slices.Sorted(maps.Keys(marks)))
		if got != tt.want || r.Bounded() != (len(r.Cuts) > 0) || r.Defect != "" {
			t.Errorf("%s: %s, want %s; %s", tt.message, got, tt.want, r.Defect)
		}
	}
	for _, tt := range []struct {
		config tasks.Config
		want   string
	}{{tasks.Config{Await: tasks.Polling}, "polling is for native actors"}, {tasks.Config{Timers: "never"}, "quiescent or async"}, {tasks.Config{Actors: -1}, "negative"}} {
		if _, err := p.Cases(t.Context(), "programs.Till", "programs.Pay", tt.config); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.config, err, tt.want)
		}
	}
}

// TestPool: which tasks may be in the queue. What a continuation reads counts as read after the wait; a message of the
// framework that is in no queue does not.
func TestPool(t *testing.T) {
	p := program(t, "programs")
	for _, tt := range []struct {
		actor, message string
		pruning        int
		want           string
	}{
		{"Till", "Pay", 1, "[programs.Set programs.Set2]"},
		{"Till", "Pay", 2, "[programs.Set programs.Set2]"},
		{"Till", "Pay", 3, "[programs.Set]"},
		{"Clerk", "Pay", 2, "[programs.Set]"},
		{"Clerk", "Pay", 3, "[]"},
		{"Worker", "Work", 1, "[]"},
	} {
		r, err := p.Cases(t.Context(), "programs."+tt.actor, "programs."+tt.message, tasks.Config{Queue: 1, Pruning: tt.pruning})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Pool); got != tt.want {
			t.Errorf("%s on %s, pruning %d: %s, want %s", tt.actor, tt.message, tt.pruning, got, tt.want)
		}
	}
}

// TestStashed: what the framework keeps is told.
func TestStashed(t *testing.T) {
	r, err := program(t, "programs").Cases(t.Context(), "programs.Desk", "programs.Set2", tasks.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r.Print(&b)
	if len(r.Cases) != 2 || strings.Count(b.String(), "stashed    programs.Desk.programs.Set2") != 1 {
		t.Errorf("want two cases, one with a stashed message:\n%s", &b)
	}
}
