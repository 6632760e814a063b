package protoactor_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/guide"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// everyModel are the delivery models.
var everyModel = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}

// guided has a counter that a slow and a fast client send to, that is asked, and that a supervisor restarts when it
// fails.
func guided(t *explore.T, j *journal) {
	var slow, fast, counter *actor.PID
	s := world(t, func(s *actor.ActorSystem) {
		counter = start(s, "counter", func(ctx actor.Context) {
			switch m := ctx.Message().(type) {
			case told:
				j.Note("told %d", m.n)
			case *told:
				j.Note("pointer %d", m.n)
			case tick:
				j.Note("chose %d", t.Choose(3))
				ctx.Respond(told{9})
			case boom:
				panic("boom")
			case *actor.Restarting:
				j.Note("restarting")
			case *actor.Stopping:
				j.Note("stopping")
			}
		})
		middle := start(s, "middle", func(ctx actor.Context) {
			if m, ok := ctx.Message().(told); ok {
				ctx.Send(counter, m)
			}
		})
		slow = start(s, "slow", func(ctx actor.Context) {
			if m, ok := ctx.Message().(told); ok {
				ctx.Send(middle, m)
			}
		})
		fast = start(s, "fast", func(ctx actor.Context) {
			switch m := ctx.Message().(type) {
			case told:
				ctx.Send(counter, &m)
			case tick:
				_, err := ctx.RequestFuture(counter, m, 2*time.Hour).Result()
				j.Note("late %v", err != nil)
			}
		})
	})
	s.Root.Send(slow, told{1})
	s.Root.Send(fast, told{2})
	s.Root.Send(fast, tick{})
	if j != nil {
		s.Root.Send(counter, boom{})
	}
}

// Orders are followed in programs of the framework, under every model.
func TestGuide(t *testing.T) {
	for _, c := range []struct {
		name  string
		guide trace.Order
		want  string
	}{
		{"value first", trace.Order{{Actor: "counter", Message: "told", From: "middle"}, {Actor: "counter", Message: "*told", From: "fast"}}, "told 1 pointer 2"},
		{"pointer first", trace.Order{{Actor: "counter", Message: "protoactor_test.told", From: "fast"}, {Actor: "counter", Message: "told", From: "middle"}}, "pointer 2 told 1"},
		{"value of a choice", trace.Order{{Actor: "counter", Choose: "2"}, {Actor: "fast", Message: "told", From: "counter"}, {Actor: "middle", Message: "told"}}, "chose 2 late false"},
		{"restart", trace.Order{{Actor: "counter", Message: "boom"}, {Actor: "counter", Message: "Restart"}, {Actor: "fast", Message: "told", From: "Driver"}}, "restarting"},
	} {
		for _, model := range everyModel {
			t.Run(c.name+"/"+model.String(), func(t *testing.T) {
				j := &journal{}
				g := guide.New(c.guide)
				got := ""
				out, err := explore.Run(protoactor.System(func(t *rehearse.T) { *j = journal{}; guided(t, j) }), g, explore.Options{
					Conditions: explore.Conditions{Model: model, Horizon: time.Minute, Blocked: 10 * time.Second}, Budget: explore.Budget{Executions: 500},
					After: func(*explore.Counters, *trace.Trace) { got = j.String() }})
				if err == nil {
					err = g.Err(out.Reason)
				}
				if err != nil || !inOrder(got, c.want) {
					t.Errorf("%v: %q lacks %q", err, got, c.want)
				}
			})
		}
	}
}

// inOrder reports whether the words are in the text, one behind the other.
func inOrder(text, words string) bool {
	for _, w := range strings.Fields(words) {
		_, after, ok := strings.Cut(text, w)
		if !ok {
			return false
		}
		text = after
	}
	return true
}

// What a random execution received, named, is an order that can be followed, and leads to the same receives.
func TestRandomExecutionsAreGuides(t *testing.T) {
	for _, model := range everyModel {
		for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
			for seed := range uint64(20) {
				sys := protoactor.System(func(t *rehearse.T) { guided(t, &journal{}) })
				cond := explore.Conditions{Model: model, Timers: timers, Horizon: time.Minute, Blocked: 10 * time.Second}
				var o trace.Order
				want, got := "", ""
				r := rand.New(rand.NewPCG(seed, uint64(model)))
				run := func(s explore.Strategy, take func(*trace.Trace)) string {
					out, err := explore.Run(sys, s, explore.Options{Conditions: cond, Budget: explore.Budget{Executions: 500},
						Stop: func() bool { return want != "" && s.Name() != "guide" }, After: func(_ *explore.Counters, tr *trace.Trace) { take(tr) }})
					if err != nil {
						t.Fatal(err)
					}
					return out.Reason
				}
				run(sample.NewRandom(r.Uint64()), func(tr *trace.Trace) { o, want = orderOf(tr), receivesOf(tr) })
				g := guide.New(o)
				limited := run(g, func(tr *trace.Trace) { got = receivesOf(tr) })
				if err := g.Err(limited); err != nil || got != want {
					t.Fatalf("%s, %s, seed %d: %v\n%v\ngot  %s\nwant %s", model, timers, seed, err, o, got, want)
				}
			}
		}
	}
}

// orderOf names the receives and chosen values of an execution.
func orderOf(tr *trace.Trace) (o trace.Order) {
	for i := tr.Explored; i < len(tr.Events); i++ {
		s := tr.Events[i].Step
		actor := tr.ActorName(s.Actor)
		switch {
		case s.Kind == trace.Choose:
			o = append(o, trace.OrderEntry{Actor: actor, Choose: fmt.Sprint(s.Value)})
		case s.Kind.Handles() && tr.Messages[s.Message].Kind == trace.Timeout:
			o = append(o, trace.OrderEntry{Actor: actor, Timer: tr.Messages[s.Message].Type.Name})
		case s.Kind.Handles():
			m := &tr.Messages[s.Message]
			o = append(o, trace.OrderEntry{Actor: actor, Message: m.Type.Name, From: tr.ActorName(m.Sender)})
		}
	}
	return o
}

// receivesOf lists what each actor received.
func receivesOf(tr *trace.Trace) string {
	var b strings.Builder
	for a := range tr.Actors {
		fmt.Fprintf(&b, "%s: ", tr.ActorName(int32(a)))
		for i := tr.Explored; i < len(tr.Events); i++ {
			if s := tr.Events[i].Step; s.Kind.Handles() && int(s.Actor) == a {
				b.WriteString(tr.MessageName(s.Message) + ", ")
			}
		}
	}
	return b.String()
}
