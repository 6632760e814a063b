package protoactor_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// ownBox is a mailbox of the program's own, which nobody runs.
type ownBox struct{ actor.Mailbox }

// boxLog is mailbox middleware that writes down how it is called.
type boxLog struct {
	mu    sync.Mutex // whoever spawns and posts calls it
	lines []string
}

func (l *boxLog) MailboxStarted()       { l.note("started") }
func (l *boxLog) MailboxEmpty()         { l.note("empty") }
func (l *boxLog) MessagePosted(m any)   { l.note("posted " + kindOf(m)) }
func (l *boxLog) MessageReceived(m any) { l.note("received " + kindOf(m)) }

func (l *boxLog) note(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

func kindOf(m any) string {
	_, inner, _ := actor.UnwrapEnvelope(m)
	return fmt.Sprintf("%T", inner)
}

// both is a batch of messages.
type both struct{}

func (both) GetMessages() []any { return []any{told{3}, told{4}} }

// logged spawns an actor with that middleware, whose handler notes what it handles, and sends it one message after
// another, each when rest has let all come to rest.
func logged(s *actor.ActorSystem, rest func(), l *boxLog) {
	pid := s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		l.note(fmt.Sprintf("handles %T", ctx.Message()))
		switch m := ctx.Message().(type) {
		case told:
			if m.n == 1 {
				ctx.Send(ctx.Self(), tick{})
			}
			if m.n == 2 {
				panic("restart")
			}
		}
	}, actor.WithMailbox(actor.Unbounded(l))))
	for _, m := range []any{told{1}, tick{}, told{2}, both{}} {
		rest()
		s.Root.Send(pid, m)
	}
	rest()
	s.Root.Poison(pid)
	rest()
}

// Middleware of an unbounded mailbox is called as the stock mailbox calls it: at start, restart and stop, for batches,
// for what a handler sends to itself.
func TestMailboxMiddleware(t *testing.T) {
	var plain boxLog
	synctest.Test(t, func(*testing.T) { logged(protoactor.NewActorSystem(), synctest.Wait, &plain) })
	var l boxLog
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Checks: rehearse.Levels{rehearse.Panic: rehearse.Off}}, protoactor.System(func(t *rehearse.T) {
		l.lines = nil
		logged(protoactor.NewActorSystem(), func() { time.Sleep(time.Millisecond) }, &l)
	}))
	if err != nil || !r.Complete || r.Bypassed != "" {
		t.Errorf("error %v, %s", err, r)
	}
	if !slices.Equal(plain.lines, l.lines) {
		t.Errorf("called\n\t%s, the stock mailbox calls\n\t%s", strings.Join(l.lines, "\n\t"), strings.Join(plain.lines, "\n\t"))
	}
}
