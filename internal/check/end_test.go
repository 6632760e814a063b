package check

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// waits is a status: blocked in a call of another actor, -1 if that is not known.
func waits(on int32) explore.Status {
	return explore.Status{Blocked: true, Awaits: "bank.Reply", On: on}
}

// TestDeadlock: a cycle of calls is told alone, without those who wait for it. What waits before a blocked actor is no
// orphan.
func TestDeadlock(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status map[int32]explore.Status
		places []string
		text   string
		waits  int
	}{
		{"none", nil, nil, "", 0},
		{"two in a cycle, one outside", map[int32]explore.Status{1: waits(2), 2: waits(3), 3: waits(2)}, nil,
			"blocked in a cycle of calls: b waits for Reply from c; c waits for Reply from b", 2},
		{"itself", map[int32]explore.Status{2: waits(2)}, nil,
			"blocked in a cycle of calls: b waits for Reply from b", 1},
		{"of one that is not blocked", map[int32]explore.Status{1: waits(2)}, nil,
			"blocked for ever: a waits for Reply from b", 1},
		{"of one that is not blocked, and was", map[int32]explore.Status{1: waits(2), 2: {On: 1}, 3: waits(-1)}, nil,
			"blocked for ever: a waits for Reply from b; c waits for Reply", 2},
		{"through the driver", map[int32]explore.Status{0: waits(1), 1: waits(0)}, nil,
			"blocked in a cycle of calls: Driver waits for Reply from a; a waits for Reply from Driver", 2},
		{"of nobody knows whom", map[int32]explore.Status{1: waits(2), 2: waits(-1)}, []string{"", "b.go:7"},
			"blocked for ever: a waits for Reply from b; b waits for Reply (b.go:7)", 2},
	} {
		w := newWorld()
		w.status, w.places = tt.status, tt.places
		for a := range int32(3) {
			w.send(trace.User, 0, a+1, 7)
		}
		c := Checker{Levels: Levels{trace.Orphan: Off}}
		vs := c.End(w, true, nil)
		if tt.text == "" {
			expect(t, tt.name, vs)
			continue
		}
		expect(t, tt.name, vs, "deadlock: "+tt.text)
		v := vs[0]
		if len(v.Waits) != tt.waits || v.Waits[0].Awaits != "bank.Reply" || v.Event != len(w.tr.Events) ||
			v.Stack != "all stacks" {
			t.Errorf("%s: %+v", tt.name, v)
		}
		if v := c.End(plain{w}, true, nil)[0]; v.Stack != "" {
			t.Errorf("%s: stacks %q of an execution that has none", tt.name, v.Stack)
		}
		c.Levels = Levels{trace.Deadlock: Off}
		free := 0
		for a := range int32(3) {
			if !w.status[a+1].Blocked {
				free++
			}
		}
		if orphans := c.End(w, true, nil); len(orphans) != free {
			t.Errorf("%s: orphans %q, want one for each actor that is not blocked", tt.name, told(orphans))
		}
	}
}

// TestOrphans: user messages alone are orphans. One for a stopped actor is of another kind, and a warning if a fault
// had stopped that.
func TestOrphans(t *testing.T) {
	w := newWorld()
	for _, class := range []trace.MessageKind{trace.User, trace.System, trace.Answer, trace.Timeout} {
		w.send(class, 0, 1, 7)
	}
	w.send(trace.User, 0, 2, 7)
	w.send(trace.User, 0, 3, 7)
	w.status[2] = explore.Status{Stopped: true}
	w.status[3] = explore.Status{Stopped: true, Crashed: true}
	var warned []trace.Violation
	warn := func(v trace.Violation) { warned = append(warned, v) }
	c := Checker{Levels: Levels{trace.OrphanDead: Error}, Warned: warn}
	vs := c.End(w, true, nil)
	expect(t, "orphans", vs,
		"orphan: int from Driver was never taken: a refused it to the end",
		"orphan-dead: int from Driver was never handled: b had stopped")
	expect(t, "warnings", warned, "orphan-dead: int from Driver was never handled: c had stopped")
	for i, actor := range []string{"bank.A", "bank.B"} {
		if v := vs[i]; v.ActorType != actor || v.MessageType != "bank.int" || v.Event != len(w.tr.Events) {
			t.Errorf("%+v", v)
		}
	}
}

// TestEnd: an execution that was cut says nothing of its end but what it noticed late, and one that is wedged nothing
// of what is left.
func TestEnd(t *testing.T) {
	const (
		final  = "environment: the final state is not allowed: unpaid"
		late   = "panic: c panicked: late"
		orphan = "orphan: int from Driver was never taken: b refused it to the end"
		dead   = "deadlock: blocked for ever: a waits for Reply"
	)
	runs := func(a string) string {
		return fmt.Sprintf("environment: %s has not stopped, and the environment sends nothing more", a)
	}
	for _, tt := range []struct {
		name            string
		natural, wedged bool
		ends            End
		want            []string
	}{
		{"cut", false, false, Empty, []string{late}},
		{"wedged", true, true, Empty, []string{late, dead}},
		{"to its end", true, false, Total, []string{late, dead, orphan, final}},
		{"no more is sent", true, false, Empty, []string{late, dead, orphan, runs("b"), final}},
	} {
		w := newWorld()
		w.wedged = tt.wedged
		w.send(trace.User, 0, 2, 7)
		w.status[1], w.status[3] = waits(-1), explore.Status{Stopped: true}
		c := Checker{Ends: tt.ends, Final: func(State) error { return errors.New("unpaid") }}
		noticed := []trace.Incident{{Kind: trace.Panic, Actor: 3, Message: -1, Text: "late"}}
		expect(t, tt.name, c.End(w, tt.natural, noticed), tt.want...)
		if began := len(w.checks) > 0; began != (tt.natural && !tt.wedged) {
			t.Errorf("%s: the final check has begun: %v", tt.name, began)
		}
	}
	w := newWorld()
	c := Checker{Final: func(State) error { panic("own") }}
	expect(t, "the final check panics", c.End(w, true, nil), "assertion: Config.Final itself panicked: own")
	c.Final = func(State) error { return nil }
	expect(t, "all is well", c.End(w, true, nil))
}
