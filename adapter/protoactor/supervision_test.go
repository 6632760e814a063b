package protoactor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/trace"
)

// worker counts ticks and panics on boom; it notes both lives and counts.
type worker struct {
	name string
	j    *journal
	n    int
}

func (w *worker) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		w.j.Note("%s up", w.name)
	case *actor.Restarting:
		w.j.Note("%s restarts", w.name)
	case *actor.Stopped:
		w.j.Note("%s stopped", w.name)
	case tick:
		w.n++
		w.j.Note("%s %d", w.name, w.n)
	case boom:
		panic("boom")
	}
}

func workerProps(name string, j *journal) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return &worker{name: name, j: j} })
}

// boss spawns a worker for each name when it starts.
type boss struct {
	names []string
	j     *journal
}

func (b *boss) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		for _, name := range b.names {
			if _, err := ctx.SpawnNamed(workerProps(name, b.j), name); err != nil {
				panic(err)
			}
		}
	case *actor.Restarting:
		b.j.Note("boss restarts")
	}
}

// order is a message of the driver to a worker.
type order struct {
	to      string
	message any
}

// office is a program with a boss over workers a and b; the driver sends the orders. The journal begins after set-up.
func office(props func(*journal) *actor.Props, orders ...order) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var top *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			var err error
			if top, err = s.Root.SpawnNamed(props(j), "boss"); err != nil {
				panic(err)
			}
		})
		j.Reset()
		for _, o := range orders {
			s.Root.Send(actor.NewPID(top.Address, top.Id+"/"+o.to), o.message)
		}
	}
}

// ruled gives the props of a boss over these workers with this strategy, nil for the default.
func ruled(strategy func() actor.SupervisorStrategy, workers ...string) func(*journal) *actor.Props {
	return func(j *journal) *actor.Props {
		p := actor.PropsFromProducer(func() actor.Actor { return &boss{workers, j} })
		if strategy != nil {
			p.Configure(actor.WithSupervisor(strategy()))
		}
		return p
	}
}

func always(d actor.Directive) actor.DeciderFunc {
	return func(any) actor.Directive { return d }
}

func oneForOne(retries int, d actor.Directive) func() actor.SupervisorStrategy {
	return func() actor.SupervisorStrategy {
		return actor.NewOneForOneStrategy(retries, 10*time.Second, always(d))
	}
}

func allForOne(d actor.Directive) func() actor.SupervisorStrategy {
	return func() actor.SupervisorStrategy {
		return actor.NewAllForOneStrategy(10, 10*time.Second, always(d))
	}
}

// selfRuled is a boss that is its own strategy: it stops who fails.
type selfRuled struct{ boss }

func (b *selfRuled) HandleFailure(_ *actor.ActorSystem, s actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, reason, message any) {
	b.j.Note("boss judges %v on %T", reason, message)
	s.StopChildren(child)
}

// panicsOff lets the supervision go on after a panic; what is sent to the dead is not what these tests are about.
var panicsOff = trial{Checker: off(trace.Panic, trace.DeadLetter, trace.OrphanDead)}

// overseer is a boss that notes what it is told.
type overseer struct{ boss }

func (o *overseer) Receive(ctx actor.Context) {
	if _, is := ctx.Message().(told); is {
		o.j.Note("told")
	}
	o.boss.Receive(ctx)
}

// stopsSuspended is a program in which a fails and is resumed, while somebody else stops it and tells the boss of that.
func stopsSuspended(t *explore.T, j *journal) {
	var top, a, rival *actor.PID
	s := world(t, func(s *actor.ActorSystem) {
		p := actor.PropsFromProducer(func() actor.Actor { return &overseer{boss{[]string{"a"}, j}} })
		p.Configure(actor.WithSupervisor(actor.NewOneForOneStrategy(10, 10*time.Second, func(any) actor.Directive {
			j.Note("resume")
			return actor.ResumeDirective
		})))
		top = s.Root.Spawn(p)
		a = actor.NewPID(top.Address, top.Id+"/a")
		rival = s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, is := ctx.Message().(ask); is {
				ctx.Stop(a)
				ctx.Send(top, told{})
			}
		}))
	})
	j.Reset()
	s.Root.Send(a, boom{})
	s.Root.Send(a, tick{})
	s.Root.Send(rival, ask{})
}

var supervision = []feature{
	{Name: "DefaultRestarts", Trial: panicsOff,
		Program: office(ruled(nil, "a"), order{"a", tick{}}, order{"a", boom{}}, order{"a", tick{}}),
		Want:    []string{"a 1, a restarts, a up, a 1"}}, // a new instance: it counts from the beginning
	{Name: "OneForOneLeavesSiblings", Trial: panicsOff,
		Program: office(ruled(oneForOne(10, actor.RestartDirective), "a", "b"), order{"a", boom{}}, order{"b", tick{}}),
		Want:    []string{"a restarts, a up, b 1", "b 1, a restarts, a up"}},
	{Name: "OneForOneGivesUp", Trial: panicsOff,
		Program: office(ruled(oneForOne(1, actor.RestartDirective), "a"), order{"a", boom{}}, order{"a", boom{}}),
		Want:    []string{"a restarts, a up, a stopped"}},
	{Name: "AllForOneRestarts", Trial: panicsOff,
		Program: office(ruled(allForOne(actor.RestartDirective), "a", "b"), order{"a", boom{}}),
		Want:    []string{"a restarts, a up, b restarts, b up", "b restarts, b up, a restarts, a up"}},
	{Name: "AllForOneStops", Trial: panicsOff,
		Program: office(ruled(allForOne(actor.StopDirective), "a", "b"), order{"a", boom{}}),
		Want:    []string{"a stopped, b stopped", "b stopped, a stopped"}},
	// Where boss is told before it resumes a, the stop has reached a by then, and nothing passes it. Where a is resumed
	// first, it may be looking.
	{Name: "StopWhileSuspended", Long: true, Trial: panicsOff, Program: stopsSuspended,
		Want: []string{"a stopped, resume, told", "a stopped, told", "resume, a 1, a stopped, told", "resume, a 1, told, a stopped", "resume, a stopped, told",
			"resume, told, a 1, a stopped", "resume, told, a stopped", "told, a stopped", "told, a stopped, resume", "told, resume, a stopped"}},
	{Name: "AllForOneResumes", Trial: panicsOff,
		Program: office(ruled(allForOne(actor.ResumeDirective), "a"), order{"a", tick{}}, order{"a", boom{}}, order{"a", tick{}}),
		Want:    []string{"a 1, a 2"}},
	{Name: "RestartingStrategy", Trial: panicsOff,
		Program: office(ruled(actor.NewRestartingStrategy, "a"), order{"a", boom{}}, order{"a", boom{}}),
		Want:    []string{"a restarts, a up, a restarts, a up"}},
	{Name: "Stop", Trial: panicsOff,
		Program: office(ruled(oneForOne(10, actor.StopDirective), "a"), order{"a", tick{}}, order{"a", boom{}}, order{"a", tick{}}),
		Want:    []string{"a 1, a stopped"}},
	{Name: "ResumeKeepsState", Trial: panicsOff,
		Program: office(ruled(oneForOne(10, actor.ResumeDirective), "a"), order{"a", tick{}}, order{"a", boom{}}, order{"a", tick{}}),
		Want:    []string{"a 1, a 2"}},
	{Name: "EscalateRestartsTheBoss", Trial: panicsOff,
		Program: office(ruled(oneForOne(10, actor.EscalateDirective), "a"), order{"a", boom{}}),
		Want:    []string{"boss restarts, a stopped, a up"}}, // the boss stops its children, then spawns anew
	{Name: "ActorIsItsOwnStrategy", Trial: panicsOff,
		Program: office(func(j *journal) *actor.Props {
			return actor.PropsFromProducer(func() actor.Actor { return &selfRuled{boss{[]string{"a"}, j}} })
		}, order{"a", boom{}}),
		Want: []string{"boss judges boom on protoactor_test.boom, a stopped"}},
	{Name: "GuardianStops", Trial: panicsOff, Program: guarded(oneForOne(10, actor.StopDirective)),
		Want: []string{"top stopped"}},
	{Name: "GuardianRestarts", Trial: panicsOff, Program: guarded(oneForOne(10, actor.RestartDirective)),
		Want: []string{"top restarts, top up"}},
	{Name: "NoGuardian", Trial: panicsOff, Program: guarded(nil),
		Want: []string{"top restarts, top up"}},
}

// guarded is a program with one top-level worker under a guardian with the strategy, nil for none.
func guarded(strategy func() actor.SupervisorStrategy) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			root := s.Root
			if strategy != nil {
				root = root.WithGuardian(strategy())
			}
			pid = root.Spawn(workerProps("top", j))
		})
		j.Reset()
		s.Root.Send(pid, boom{})
	}
}

func TestSupervision(t *testing.T) { runAll(t, short(supervision)) }

// timed is a worker that notes at what virtual time, counted from the end of set-up, it restarts.
func timed(strategy func() actor.SupervisorStrategy, top bool) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var pid *actor.PID
		var start time.Time
		props := actor.PropsFromFunc(func(ctx actor.Context) {
			switch ctx.Message().(type) {
			case *actor.Restarting:
				j.Note("%v", time.Since(start).Round(time.Millisecond))
			case boom:
				panic("boom")
			}
		})
		s := world(t, func(s *actor.ActorSystem) {
			if top {
				pid = s.Root.WithGuardian(strategy()).Spawn(props)
				return
			}
			p := actor.PropsFromFunc(func(ctx actor.Context) {
				if _, ok := ctx.Message().(*actor.Started); ok {
					pid = ctx.Spawn(props)
				}
			}, actor.WithSupervisor(strategy()))
			s.Root.Spawn(p)
		})
		start = time.Now()
		s.Root.Send(pid, boom{})
		s.Root.Send(pid, boom{})
	}
}

func backingOff() actor.SupervisorStrategy {
	return actor.NewExponentialBackoffStrategy(24*time.Hour, time.Second)
}

// The exponential backoff passes in virtual time, and without its noise: a restart after one second, the next two
// later.
func TestBackoff(t *testing.T) {
	for name, top := range map[string]bool{"child": false, "guardian": true} {
		for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
			f := feature{
				Program: timed(backingOff, top), Want: []string{"1s, 3s"},
				Trial: trial{Timers: timers, Checker: off(trace.Panic)},
				Check: func(t *testing.T, tr *trace.Trace) {
					var at []time.Duration
					for _, e := range tr.Events {
						if m := e.Step.Message; m >= 0 && trace.ShortType(tr.Messages[m].Type.Name) == "Restart" {
							at = append(at, e.Time.Round(time.Millisecond))
						}
					}
					if len(at) != 2 || at[0] != time.Second || at[1] != 3*time.Second {
						t.Errorf("the restarts are at %v", at)
					}
				},
			}
			t.Run(fmt.Sprintf("%s/%s", name, timers), func(t *testing.T) { f.Run(t, protoactor.System) })
		}
	}
}

// Two children that fail at the same step of different actors back off for the same time; their restarts are due in the
// order in which they failed, in every repetition.
func TestBackoffsDoNotTie(t *testing.T) {
	program := office(ruled(backingOff, "a", "b"), order{"a", boom{}}, order{"b", boom{}})
	s := trial{Checker: off(trace.Panic)}.Try(t, protoactor.System, program, nil)
	s.Quietly(t)
	for ending := range s.Journals {
		if ending != "a restarts, a up, b restarts, b up" && ending != "b restarts, b up, a restarts, a up" {
			t.Errorf("the journal is %q", ending)
		}
	}
	if len(s.Journals) != 2 {
		t.Errorf("the restarts come in %d orders, want 2", len(s.Journals))
	}
}

// A panic is a violation by default, with the site and the message that led to it; the execution ends there.
func TestPanicIsViolation(t *testing.T) {
	program := office(ruled(nil, "a"), order{"a", tick{}}, order{"a", boom{}}, order{"a", tick{}})
	s := trial{}.Try(t, protoactor.System, program, nil)
	if s.Err != nil || len(s.Violations) == 0 {
		t.Fatalf("no violation, error %v", s.Err)
	}
	for _, v := range s.Violations {
		if v.Kind != trace.Panic || v.ActorType != "protoactor_test.worker" || v.MessageType != "protoactor_test.boom" ||
			!strings.HasSuffix(v.Site, "(*worker).Receive") || !strings.HasPrefix(v.Where, "supervision_test.go:") || v.Text != "a panicked on boom from Driver: boom" {
			t.Errorf("the violation is %+v", v)
		}
	}
	for ending := range s.Journals {
		if ending != "a 1" {
			t.Errorf("an execution went on after the panic: %s", ending)
		}
	}
}

// With the panic allowed, the trace holds the incident and the steps of the supervision: Failure at the boss, Restart
// at the worker.
func TestRestartIsEvent(t *testing.T) {
	program := office(ruled(nil, "a"), order{"a", boom{}}, order{"a", tick{}})
	feature{Program: program, Trial: panicsOff, Check: func(t *testing.T, tr *trace.Trace) {
		if got := received(tr, "boss"); got != "Failure" {
			t.Errorf("the boss received %s", got)
		}
		if got := received(tr, "a"); got != "boom Restart tick" {
			t.Errorf("the worker received %s", got)
		}
		panics := 0
		for _, e := range tr.Events {
			for _, in := range e.Incidents {
				if in.Kind != trace.Panic || tr.ActorName(in.Actor) != "a" || tr.StepName(e.Step) == "" {
					t.Errorf("incident %+v", in)
				}
				panics++
			}
		}
		if panics != 1 {
			t.Errorf("%d panics in the trace, want 1", panics)
		}
	}}.Run(t, protoactor.System)
}

// What a stopped actor has in its mailbox is an orphan, a warning; what is sent to it later is a dead letter, an error.
func TestStoppedLeavesOrphans(t *testing.T) {
	program := office(ruled(oneForOne(1, actor.StopDirective), "a"), order{"a", boom{}}, order{"a", tick{}})
	s := trial{Checker: off(trace.Panic)}.Try(t, protoactor.System, program, nil)
	if s.Err != nil {
		t.Fatal(s.Err)
	}
	if n := s.Kinds(); n[trace.DeadLetter] == 0 || len(n) != 1 {
		t.Errorf("violations by kind: %v, want dead letters", n)
	}
	if len(s.Warnings) == 0 {
		t.Error("no orphan")
	}
	for _, w := range s.Warnings {
		if w.Kind != trace.OrphanDead || w.Actor != "a" || w.Text != "tick from Driver was never handled: a had stopped" {
			t.Errorf("warning %+v", w)
		}
	}
	levels := check.Levels{trace.Panic: check.Off, trace.DeadLetter: check.Off, trace.OrphanDead: check.Error}
	s = trial{Checker: check.Checker{Levels: levels}}.Try(t, protoactor.System, program, nil)
	if n := s.Kinds(); n[trace.OrphanDead] == 0 {
		t.Errorf("as an error: violations by kind: %v, want orphans", n)
	}
}

// A worker that panics whenever it starts is restarted as often as its boss allows, then stopped.
func TestPanicAtStart(t *testing.T) {
	starts := 0
	feature{Trial: panicsOff, Want: []string{"started 4 times, stopped"}, Program: func(t *explore.T, j *journal) {
		starts = 0
		s := protoactor.NewActorSystem()
		s.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			switch ctx.Message().(type) {
			case *actor.Started:
				ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
					if _, ok := ctx.Message().(*actor.Started); ok {
						starts++
						panic("cannot start")
					}
				}))
			case *actor.Terminated:
				j.Note("started %d times, stopped", starts)
			}
		}, actor.WithSupervisor(actor.NewOneForOneStrategy(3, time.Minute, actor.DefaultDecider))))
	}}.Run(t, protoactor.System)
}
