package actor_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// loner is an actor that shares nothing: whatever it does, a handler that waits can be run again. Its handlers keep
// pointers into memory that they have made, across waits, and reach the same memory by their actor's state.
type loner struct {
	name     string
	peers    []actor.Ref
	n        int
	sessions []*session
	byKey    map[string]*session
	last     any
	future   *actor.Future
	timer    actor.TimerID
	open     int
}

type session struct {
	of  *loner
	log []string
	sum int
}

// script is a message: what to do, one after the other. It is changed in place.
type script struct {
	ops  []string
	args []int
	seen *int
}

func (l *loner) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case script:
		s := &session{of: l}
		l.sessions = append(l.sessions, s)
		l.byKey[fmt.Sprint(len(l.sessions)%3)] = s
		l.open++
		defer func() { l.open-- }()
		for i, op := range msg.ops {
			*msg.seen++
			l.do(ctx, s, op, msg.args[i])
			s.log = append(s.log, fmt.Sprint(op, l.n, *msg.seen, len(l.sessions)))
			l.n = (l.n*3 + s.sum + len(s.log)) % 101
		}
		ctx.Reply(*msg.seen + l.n)
	case int:
		l.n += msg
		for _, s := range l.sessions {
			s.sum += msg
		}
		ctx.Reply(&session{sum: l.n})
	case string:
		l.last = []string{msg, l.name}
	}
}

func (l *loner) peer(i int) actor.Ref { return l.peers[i%len(l.peers)] }

func (l *loner) do(ctx *actor.Context, s *session, op string, arg int) {
	switch op {
	case "send":
		ctx.Send(l.peer(arg), l.n)
	case "fan":
		for i := range 3 {
			ctx.Send(l.peer(arg+i), "fan")
		}
	case "call":
		v, err := ctx.Call(l.peer(arg), l.n)
		got(s, v, err)
	case "timeout":
		v, err := ctx.CallTimeout(l.peer(arg), l.n, time.Second)
		got(s, v, err)
	case "ask":
		l.future = ctx.Ask(l.peer(arg), arg)
		s.sum += int(boolToInt(l.future.Ready()))
	case "await":
		if l.future != nil {
			s.sum += boolToInt(l.future.Ready())
			v, err := ctx.Await(l.future)
			got(s, v, err)
		}
	case "until":
		n := l.n
		ctx.AwaitUntil(func() bool { return l.n != n || s.sum > 3 })
		s.sum++
	case "receive":
		l.last = ctx.Receive(func(msg any) bool { _, ok := msg.(string); return ok || s.sum > 5 })
	case "spawn":
		child := &loner{name: l.name + "'", byKey: map[string]*session{}, peers: l.peers}
		ctx.Send(ctx.Spawn(child), arg)
		s.sum += 2
	case "become":
		b := *l
		b.byKey = map[string]*session{"old": s}
		ctx.Become(&b)
	case "unbecome":
		ctx.Unbecome()
	case "after":
		l.timer = ctx.After(time.Duration(arg)*time.Second, arg)
	case "cancel":
		s.sum += boolToInt(l.timer > 0 && ctx.Cancel(l.timer))
	case "choose":
		s.sum += ctx.Choose(2)
	case "now":
		s.sum += int(ctx.Now() / time.Second)
	case "stash":
		ctx.UnstashAll()
	}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// got keeps what came, and changes it.
func got(s *session, v any, err error) {
	switch v := v.(type) {
	case *session:
		v.sum++
		s.sum += v.sum
		s.of.sessions = append(s.of.sessions, v)
	case int:
		s.sum += v
	}
	if err != nil {
		s.log = append(s.log, err.Error())
	}
}

func loners(seed uint64, ops ...string) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		r := rand.New(rand.NewPCG(seed, 5))
		var all []*loner
		var refs []actor.Ref
		t.SetUp(func() {
			for i := range 2 + r.IntN(2) {
				l := &loner{name: string(rune('a' + i)), byKey: map[string]*session{}}
				all, refs = append(all, l), append(refs, ctx.SpawnNamed(l.name, l))
			}
			for _, l := range all {
				l.peers = append([]actor.Ref(nil), refs...)
			}
		})
		for range 2 + r.IntN(2) {
			s := script{seen: new(int)}
			for range 1 + r.IntN(4) {
				s.ops, s.args = append(s.ops, ops[r.IntN(len(ops))]), append(s.args, r.IntN(4))
			}
			ctx.Send(refs[r.IntN(len(refs))], s)
		}
		for range 2 {
			ctx.Send(refs[r.IntN(len(refs))], 1+r.IntN(3))
		}
		ctx.Send(refs[0], "hello")
	})
}

// TestRedo: where handlers wait, everything is as it was too, and one goes on from the very point that was asked for,
// except where a value is chosen in the middle of a handler. With REHEARSE_TOY on three times as many programs.
func TestRedo(t *testing.T) {
	executions, seeds := 15, uint64(1)
	if testing.Short() {
		// the race detector is for the hand-overs between goroutines, which the first executions have all of
		executions = 5
	}
	if os.Getenv("REHEARSE_TOY") != "" {
		seeds = 3
	}
	for what, ops := range map[string]string{
		"calls":  "call call send fan spawn timeout",
		"awaits": "ask ask await until send fan await",
		"mixed":  "call ask await until receive send fan spawn become unbecome",
		"time":   "after cancel timeout call now await ask",
		"values": "choose call until send",
	} {
		for _, c := range allModels {
			for _, c := range []explore.Conditions{c, async(c)} {
				all, early := 0, 0
				for seed := range seeds {
					n, short := shuttled(t, fmt.Sprint(what, " ", c.Model, " ", c.Timers, " seed ", seed),
						loners(seed, strings.Fields(ops)...), c, seed, executions)
					all, early = all+n, early+short
				}
				if want := int(seeds) * (executions - 1); all < want || what != "values" && early > 0 {
					t.Errorf("%s %v %v: %d of %d executions went on from the middle, %d from before the point that was asked for",
						what, c.Model, c.Timers, all, want, early)
				}
			}
		}
	}
}

// The same with injected faults, where tasks may be picked before they are ready.
func TestRedoFaults(t *testing.T) {
	for what, ops := range map[string]string{
		"calls":  "call call send fan spawn timeout choose",
		"awaits": "ask ask await until send fan await",
		"mixed":  "call ask await until receive send fan spawn become unbecome after now",
	} {
		for _, c := range allModels {
			c.Faults, _ = trace.ParseFaults("all:3")
			for _, c := range []explore.Conditions{c, async(c)} {
				sys := loners(101, strings.Fields(ops)...)
				sys.Polling = true
				if n, _ := shuttled(t, fmt.Sprint(what, " ", c.Model, " ", c.Timers), sys, c, 1, 10); n < 9 {
					t.Errorf("%s %v %v: only %d of 9 executions went on from the middle", what, c.Model, c.Timers, n)
				}
			}
		}
	}
}
