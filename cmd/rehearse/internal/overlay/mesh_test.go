package overlay

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/choosers"
)

// This file enumerates random programs with channels as models, in all orders of their steps, and compares what can
// come of them with what is explored. It knows channels by the language's rules alone.
//
//	source: The Go Programming Language Specification, on channels and select; runtime/chan.go of Go 1.26 for the order
//	        in which those that wait are served

// waiter is a goroutine that waits at a channel.
type waiter struct {
	g    int
	send bool
	v    int
}

// channel is one of a model.
type channel struct {
	room    int
	closed  bool
	values  []int
	waiting []waiter
}

// meshState is where a model is.
type meshState struct {
	chans   []channel
	at      []int  // step of each goroutine
	blocked []bool // it waits
	woken   []bool // it has waited, and has yet to write down
	got     []int  // what it writes down then
	words   []string
}

func (s *meshState) clone() *meshState {
	c := *s
	c.chans = slices.Clone(s.chans)
	for i := range c.chans {
		c.chans[i].values = slices.Clone(c.chans[i].values)
		c.chans[i].waiting = slices.Clone(c.chans[i].waiting)
	}
	c.at, c.blocked, c.woken = slices.Clone(s.at), slices.Clone(s.blocked), slices.Clone(s.woken)
	c.got, c.words = slices.Clone(s.got), slices.Clone(s.words)
	return &c
}

// finish writes down that a goroutine has done its step.
func (s *meshState) finish(g, v int) {
	s.words = append(s.words, choosers.Word(g, s.at[g], v))
	s.at[g]++
}

// wake lets a goroutine go on, which writes v down when it does. It waits nowhere any more.
func (s *meshState) wake(g, v int) {
	s.blocked[g], s.woken[g], s.got[g] = false, true, v
	for i := range s.chans {
		s.chans[i].waiting = slices.DeleteFunc(s.chans[i].waiting, func(w waiter) bool { return w.g == g })
	}
}

// first gives the one that waits longest to send, or to receive.
func (c *channel) first(send bool) (waiter, bool) {
	i := slices.IndexFunc(c.waiting, func(w waiter) bool { return w.send == send })
	if i < 0 {
		return waiter{}, false
	}
	return c.waiting[i], true
}

// wakesAs is what a goroutine writes down whose wait is over: what it received or, of a select, that it has sent.
func wakesAs(m *choosers.Mesh, s *meshState, w waiter, v int) int {
	switch {
	case !w.send:
		return v
	case m.Routines[w.g][s.at[w.g]].Op == choosers.SelectPass:
		return -1
	}
	return 0
}

// receive takes a value out, if there is one.
func (s *meshState) receive(m *choosers.Mesh, a int) (v int, ok bool) {
	c := &s.chans[a]
	w, waits := c.first(true)
	switch {
	case len(c.values) > 0:
		v = c.values[0]
		if c.values = c.values[1:]; waits {
			c.values = append(c.values, w.v)
			s.wake(w.g, wakesAs(m, s, w, 0))
		}
		return v, true
	case waits:
		s.wake(w.g, wakesAs(m, s, w, 0))
		return w.v, true
	}
	return 0, c.closed
}

// send hands a value over or puts it in, if there is room. It reports a panic.
func (s *meshState) send(m *choosers.Mesh, a, v int) (ok, panics bool) {
	c := &s.chans[a]
	if c.closed {
		return false, true
	}
	if w, waits := c.first(false); waits {
		s.wake(w.g, wakesAs(m, s, w, v))
		return true, false
	}
	if len(c.values) < c.room {
		c.values = append(c.values, v)
		return true, false
	}
	return false, false
}

// readyToSend reports whether a send need not wait.
func (c *channel) readyToSend() bool {
	_, waits := c.first(false)
	return c.closed || waits || len(c.values) < c.room
}

// readyToReceive reports whether a receive need not wait.
func (c *channel) readyToReceive() bool {
	_, waits := c.first(true)
	return c.closed || waits || len(c.values) > 0
}

// block has a goroutine wait.
func (s *meshState) block(g, a int, send bool, v int) {
	s.blocked[g] = true
	s.chans[a].waiting = append(s.chans[a].waiting, waiter{g, send, v})
}

// close closes a channel, and wakes all who wait there. It reports a panic, its own or of one who waits to send.
func (s *meshState) close(a int) (panics bool) {
	c := &s.chans[a]
	if c.closed {
		return true
	}
	c.closed = true
	for {
		if _, sends := c.first(true); sends {
			return true
		}
		w, waits := c.first(false)
		if !waits {
			return false
		}
		s.wake(w.g, 0)
	}
}

// step gives the states to which goroutine g may come with one step; ok is false if the program may panic there.
func step(m *choosers.Mesh, before *meshState, g int) (after []*meshState, ok bool) {
	s := before.clone()
	if s.woken[g] {
		s.woken[g] = false
		s.finish(g, s.got[g])
		return []*meshState{s}, true
	}
	st, v := m.Routines[g][s.at[g]], choosers.Value(g, s.at[g])
	switch st.Op {
	case choosers.Send, choosers.TrySend:
		sent, panics := s.send(m, st.A, v)
		switch {
		case panics:
			return nil, false
		case st.Op == choosers.TrySend && sent:
			s.finish(g, -1)
		case st.Op == choosers.TrySend || sent:
			s.finish(g, 0)
		default:
			s.block(g, st.A, true, v)
		}
	case choosers.Receive, choosers.TryReceive:
		got, received := s.receive(m, st.A)
		switch {
		case received:
			s.finish(g, got)
		case st.Op == choosers.TryReceive:
			s.finish(g, -2)
		default:
			s.block(g, st.A, false, 0)
		}
	case choosers.Close:
		if s.close(st.A) {
			return nil, false
		}
		s.finish(g, 0)
	default:
		return selects(m, s, g, st, v)
	}
	return []*meshState{s}, true
}

// selects is step for a select without a default.
func selects(m *choosers.Mesh, s *meshState, g int, st choosers.Step, v int) (after []*meshState, ok bool) {
	if s.chans[st.A].readyToReceive() {
		c := s.clone()
		got, _ := c.receive(m, st.A)
		c.finish(g, got)
		after = append(after, c)
	}
	if st.Op == choosers.SelectBoth && s.chans[st.B].readyToReceive() {
		c := s.clone()
		got, _ := c.receive(m, st.B)
		c.finish(g, got)
		after = append(after, c)
	}
	if st.Op == choosers.SelectPass && s.chans[st.B].readyToSend() {
		c := s.clone()
		if _, panics := c.send(m, st.B, v); panics {
			return nil, false
		}
		c.finish(g, -1)
		after = append(after, c)
	}
	if len(after) == 0 {
		s.block(g, st.A, false, 0)
		s.block(g, st.B, st.Op == choosers.SelectPass, v)
		after = append(after, s)
	}
	return after, true
}

// outcomes gives all that can come of a program, in all orders of the steps of its goroutines; nil if it may panic,
// wait for ever, or come to more than most.
func outcomes(m *choosers.Mesh, most int) map[string]bool {
	n := len(m.Routines)
	s := &meshState{at: make([]int, n), blocked: make([]bool, n), woken: make([]bool, n), got: make([]int, n)}
	for _, room := range m.Room {
		s.chans = append(s.chans, channel{room: room})
	}
	all, seen := map[string]bool{}, map[string]bool{}
	var explore func(s *meshState) bool
	explore = func(s *meshState) bool {
		key := fmt.Sprint(*s)
		if seen[key] {
			return true
		}
		seen[key] = true
		moved, over := false, true
		for g := range n {
			if over = over && s.at[g] == len(m.Routines[g]); s.blocked[g] || s.at[g] == len(m.Routines[g]) {
				continue
			}
			moved = true
			after, ok := step(m, s, g)
			if !ok {
				return false
			}
			for _, a := range after {
				if !explore(a) {
					return false
				}
			}
		}
		if over {
			all[strings.Join(s.words, " ")] = true
		}
		return (moved || over) && len(all) <= most
	}
	if !explore(s) {
		return nil
	}
	return all
}

// What goroutines do to channels is explored in all orders: no outcome is missing, and none is invented. Nor is there
// one in executions outside of control.
func TestChannels(t *testing.T) {
	programs := 12
	if all() {
		programs = 40
	}
	if more() {
		programs = 100
	}
	var names []string
	want := map[string]map[string]bool{}
	for n := uint64(1); len(names) < programs; n++ {
		m := choosers.NewMesh(n)
		if len(slices.Concat(m.Routines...)) > 4 {
			continue // it has too many executions
		}
		if o := outcomes(m, 60); len(o) > 1 {
			names = append(names, fmt.Sprint(n))
			want[fmt.Sprint(n)] = o
		}
	}
	run := drawing(t)
	for _, words := range [][]string{{"outcomes", "-1"}, {"noise", "300"}} {
		got, cut := printedOutcomes(run(append(words, names...)...))
		missing := 0
		for _, name := range names {
			least := len(want[name])
			if words[0] == "noise" || cut[name] {
				least = 1
			}
			missing += max(0, len(want[name])-len(got[name]))
			if len(got[name]) < least {
				t.Errorf("%s of program %s: %d outcomes, there are %d", words[0], name, len(got[name]), len(want[name]))
			}
			for o := range got[name] {
				if !want[name][o] {
					t.Errorf("%s of program %s: %s cannot be", words[0], name, o)
				}
			}
		}
		if len(cut) > programs/4 {
			t.Errorf("%d of %d programs have too many executions to tell", len(cut), programs)
		}
		t.Logf("%s of %d programs: %d outcomes were not seen, %d programs had too many executions for all", words[0],
			programs, missing, len(cut))
	}
}

// printedOutcomes reads what package choosers prints: the outcomes of each program, and the programs of which not all
// was executed.
func printedOutcomes(out string) (got map[string]map[string]bool, cut map[string]bool) {
	got, cut = map[string]map[string]bool{}, map[string]bool{}
	for _, line := range strings.Split(out, "\n") {
		kind, rest, _ := strings.Cut(line, ": ")
		name, rest, _ := strings.Cut(rest, ": ")
		switch {
		case kind == "outcome" && got[name] == nil:
			got[name] = map[string]bool{rest: true}
		case kind == "outcome":
			got[name][rest] = true
		case strings.HasPrefix(rest, "more than"):
			cut[name] = true
		}
	}
	return got, cut
}
