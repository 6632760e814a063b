package system

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file compares what State tells of compiled programs with what it tells symbolic executions of them.

// looker is a task that keeps what State tells in the end.
type looker struct {
	ordered
	told  []string
	vague int // texts that may be any
}

func (l *looker) ended(w *world) {
	for a := range w.actors {
		name := w.tr.ActorName(int32(a))
		l.keep(w, name+" holds ", w.textOf(name))
		list, _ := w.received(name)
		for _, text := range list {
			l.keep(w, name+" received ", text)
		}
	}
}

func (l *looker) keep(w *world, what string, v exec.Value) {
	text, ok := w.m.Text(v)
	if !ok {
		l.vague++
		text = "?"
	}
	l.told = append(l.told, what+text)
}

// looked gives what State tells of a compiled program in the end.
func looked(t *testing.T, sys explore.System, model trace.Model) (told []string) {
	t.Helper()
	look := func(s check.State, names []string) (list []string) {
		for _, name := range names {
			list = append(list, name+" holds "+s.Text(name))
			for _, text := range s.Received(name) {
				list = append(list, name+" received "+text)
			}
		}
		return list
	}
	o := explore.Options{Conditions: explore.Conditions{Model: model, Copy: true}}
	keep := &keeper{look: func(s check.State, tr *trace.Trace) {
		var names []string
		for a := range tr.Actors {
			names = append(names, tr.ActorName(int32(a)))
		}
		told = look(s, names)
	}}
	o.Check = keep
	if _, err := explore.Run(sys, &sample.DefaultOrder{}, o); err != nil {
		t.Fatal(err)
	}
	return told
}

// keeper is a checker that finds nothing, and looks at each state.
type keeper struct {
	check.Checker
	look func(s check.State, tr *trace.Trace)
}

func (k *keeper) Step(x explore.Execution, event int32) []trace.Violation {
	c := check.Checker{Invariants: []check.Invariant{{Name: "x", Holds: func(s check.State) error { k.look(s, x.Trace()); return nil }}}}
	c.Step(x, event)
	return nil
}

func (k *keeper) End(explore.Execution, bool, []trace.Incident) []trace.Violation { return nil }

// TestLooks: what is told of the programs of the twin, and of one that holds values of all kinds, is what the
// compiled ones tell; what may be any text is counted.
func TestLooks(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	all := map[string]func() *actor.System{"twinShown": twinShown}
	for name, f := range real {
		all[name] = f
	}
	texts, vague := 0, 0
	for name, f := range all {
		for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
			want := looked(t, f(), model)
			d := p.DriversOf(function(t, p, name))[0]
			l := &looker{ordered: ordered{trace.First}}
			found := p.explore(t.Context(), d, Config{}.defaults(), func() *world {
				return &world{p: p, driver: d, task: l, model: model, replay: true}
			})
			if len(found.Paths) != 1 || len(found.Cuts) > 0 {
				t.Fatalf("%s: %d paths, %v", name, len(found.Paths), found.Cuts)
			}
			if len(l.told) != len(want) {
				t.Fatalf("%s, %v: told %q\nwant %q", name, model, l.told, want)
			}
			for i, got := range l.told {
				if !strings.HasSuffix(got, "?") && got != want[i] {
					t.Errorf("%s, %v: told %s\nwant %s", name, model, got, want[i])
				} else if strings.HasSuffix(got, "?") {
					t.Logf("vague: %s: %s", name, want[i])
				}
			}
			texts, vague = texts+len(want), vague+l.vague
		}
	}
	t.Logf("%d texts, %d of them vague", texts, vague)
}

// shown holds values of all kinds.
type shown struct {
	n      int8
	u      uint16
	f      float32
	yes    bool
	text   string
	list   []string
	none   []int // nil
	pairs  map[int]couple
	by     map[actor.Ref]bool
	self   *shown
	any    any
	nobody actor.Ref
	ask    func() int
	array  [2]couple
	long   []int
	wait   time.Duration
	deep   *deep
}

// level has a text of its own, which is shown where its field is exported.
type leveled struct {
	level level
	Deep  *deep
}

func (l *leveled) Receive(_ *actor.Context, msg any) { l.level = level(len(msg.(string))) }

type (
	couple struct{ a, b int }
	deep   struct{ in *deep }
	level  int
)

func (l level) String() string { return fmt.Sprint("level ", int(l)) }

func (s *shown) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case couple:
		s.n--
		s.pairs[m.b] = m
		s.pairs[-m.a] = couple{m.b, m.a}
		s.by[ctx.Sender()] = true
		s.any = &m
		s.self = s
		ctx.Reply(fmt.Sprintf("%d and %d", m.a, m.b))
	case string:
		s.text += m + "\n"
		s.list = append(s.list, m)
		for range 12 {
			s.long = append(s.long, len(s.long))
		}
		s.deep = &deep{&deep{&deep{&deep{&deep{&deep{&deep{}}}}}}}
		s.array[0].a = len(m)
		s.wait = 1500 * time.Millisecond
		if s.ask == nil {
			s.ask = func() int { return len(s.list) }
		}
	}
}

// twinShown has an actor that holds values of all kinds, one that is a function, and one that asks.
func twinShown() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		s := &shown{n: 3, u: 7, f: 1.5, pairs: map[int]couple{}, by: map[actor.Ref]bool{}}
		a := ctx.SpawnNamed("a", s)
		ctx.SpawnNamed("plain", actor.Func(func(*actor.Context, any) {}))
		ctx.SpawnNamed("asks", actor.Func(func(ctx *actor.Context, msg any) { _, _ = ctx.Call(a, couple{9, 8}) }))
		ctx.Send(a, couple{1, -2})
		ctx.Send(a, "one \"two\"")
		ctx.Send(a, "three")
		ctx.Send(ctx.SpawnNamed("b", &leveled{}), "four")
		ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Stop() })), true)
		f := ctx.Ask(a, couple{4, 5})
		_, _ = ctx.Await(f)
	})
}
