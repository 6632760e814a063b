package protoactor_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/persistence"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// account sums up what it is told, and persists it.
type account struct {
	persistence.Mixin
	j   *journal
	sum int64
}

func (a *account) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *wrapperspb.Int64Value: // an event: new, or recovered
		if !a.Recovering() {
			a.PersistReceive(m)
		}
		a.sum += m.Value
	case *wrapperspb.StringValue: // a command
		a.j.Note("%s %d", m.Value, a.sum)
	case *persistence.RequestSnapshot:
		a.PersistSnapshot(wrapperspb.UInt64(uint64(a.sum)))
	case *wrapperspb.UInt64Value: // a snapshot; the first event makes one of nothing
		if a.sum = int64(m.Value); a.sum != 0 {
			a.j.Note("snapshot %d", a.sum)
		}
	case *persistence.ReplayComplete:
		a.j.Note("recovered %d", a.sum)
	case boom:
		panic("boom")
	}
}

// store is the framework's provider of persistence in memory.
type store struct{ *persistence.InMemoryProvider }

func (s store) GetState() persistence.ProviderState { return s.InMemoryProvider }

// accounts makes props of accounts that share a store with a snapshot every so many events.
func accounts(j *journal, interval int) *actor.Props {
	provider := store{persistence.NewInMemoryProvider(interval)}
	return actor.PropsFromProducer(func() actor.Actor { return &account{j: j} },
		actor.WithReceiverMiddleware(persistence.Using(provider)))
}

// open starts the account "a".
func open(s *actor.ActorSystem, props *actor.Props) *actor.PID {
	pid, err := s.Root.SpawnNamed(props, "a")
	if err != nil {
		panic(err)
	}
	return pid
}

// add is an event and show a command.
func add(n int64) proto.Message       { return wrapperspb.Int64(n) }
func show(label string) proto.Message { return wrapperspb.String(label) }

var persistent = []feature{
	{Name: "Restart", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) { a = open(s, accounts(j, 100)) })
		for _, m := range []any{add(1), add(2), boom{}, add(4), show("now")} {
			s.Root.Send(a, m)
		}
	}, Want: []string{"recovered 0, recovered 3, now 7"}, Trial: trial{Checker: off(trace.Panic)}},

	{Name: "Respawn", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		var props *actor.Props
		s := world(t, func(s *actor.ActorSystem) { props = accounts(j, 100); a = open(s, props) })
		s.Root.Send(a, add(1))
		s.Root.Send(a, add(2))
		s.Root.PoisonFuture(a).Wait()
		s.Root.Send(open(s, props), show("again"))
	}, Want: []string{"recovered 0, recovered 3, again 3"}},

	// What Stop overtakes is not persisted.
	{Name: "StopAndRespawn", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		var props *actor.Props
		s := world(t, func(s *actor.ActorSystem) { props = accounts(j, 100); a = open(s, props) })
		s.Root.Send(a, add(1))
		s.Root.Send(a, add(2))
		s.Root.StopFuture(a).Wait()
		open(s, props)
	}, Want: []string{"recovered 0, recovered 0", "recovered 0, recovered 1", "recovered 0, recovered 3"}},

	{Name: "Snapshot", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) { a = open(s, accounts(j, 2)) })
		for _, m := range []any{add(1), add(2), add(4), boom{}, show("now")} {
			s.Root.Send(a, m)
		}
	}, Want: []string{"recovered 0, snapshot 3, recovered 7, now 7"}, Trial: trial{Checker: off(trace.Panic)}},

	// Two tellers and a crash: whatever the order, nothing that was added is lost.
	{Name: "CrashRace", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		tellers := make([]*actor.PID, 2)
		s := world(t, func(s *actor.ActorSystem) {
			a = open(s, accounts(j, 100))
			for i, name := range []string{"x", "y"} {
				tellers[i] = start(s, name, func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						ctx.Send(a, add(int64(i+1)))
					}
				})
			}
		})
		for _, p := range tellers {
			s.Root.Send(p, tick{})
		}
		s.Root.Send(a, boom{})
		t.AtEnd(func() {
			s.Root.Send(a, show("end"))
			s.Root.PoisonFuture(a).Wait()
		})
	}, Want: []string{
		"recovered 0, recovered 0, end 3", "recovered 0, recovered 1, end 3",
		"recovered 0, recovered 2, end 3", "recovered 0, recovered 3, end 3"}, Trial: trial{Checker: off(trace.Panic)}},
}

func TestPersistence(t *testing.T) { runAll(t, persistent) }
