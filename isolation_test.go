package rehearse_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

// purse is memory that actors share.
type purse struct {
	mu    sync.Mutex
	coins map[string]int
	n     int
	list  []int
	next  *purse
	at    atomic.Int64
	any   any
}

// owner is an actor that does something to its purse.
type holder struct {
	p    *purse
	list []int
	do   func(*holder, any)
	to   []actor.Ref
}

func (h *holder) Receive(ctx *actor.Context, msg any) {
	if h.do != nil {
		h.do(h, msg)
	}
	for _, to := range h.to {
		ctx.Send(to, msg)
	}
}

// sharing has two actors that hold the same memory, or lists of the same array; each is sent a message.
func sharing(do func(*holder, any)) rehearse.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		p := &purse{coins: map[string]int{}, next: &purse{}}
		list := make([]int, 2, 8)
		ctx.Send(ctx.SpawnNamed("left", &holder{p: p, list: list, do: do}), note{No: 1})
		ctx.Send(ctx.SpawnNamed("right", &holder{p: p, list: list[:1], do: do}), note{No: 2})
	})
}

// breaches are ways to write shared memory, with where it is for the one that does not write.
var breaches = []struct {
	name, where string
	do          func(*holder, any)
}{
	{"a field", ".p.n", func(h *holder, _ any) { h.p.n++ }},
	{"behind a mutex", ".p.n", func(h *holder, _ any) { h.p.mu.Lock(); h.p.n++; h.p.mu.Unlock() }},
	{"a map", ".p.coins", func(h *holder, m any) { h.p.coins["gold"] += m.(note).No }},
	{"an element", ".list[0]", func(h *holder, _ any) { h.list[0]++ }},
	{"behind two pointers", ".p.next.n", func(h *holder, _ any) { h.p.next.n++ }},
	{"an atomic number", ".p.at", func(h *holder, _ any) { h.p.at.Add(1) }},
	{"in an interface", ".p.any", func(h *holder, m any) { h.p.any = m }},
	{"a list that grows into another's", ".list[1]",
		func(h *holder, m any) { h.list = append(h.list[:1:2], m.(note).No) }},
	{"a list that grows", ".p.list", func(h *holder, m any) { h.p.list = append(h.p.list, m.(note).No) }},
}

// Each way to write what another actor reaches is a warning that names both places; the results of reductions are not
// complete then, that of naive, which executes each order of steps, is.
func TestSharedMemory(t *testing.T) {
	for _, b := range breaches {
		for _, strategy := range []string{"auto", "naive", "optimal", "source", "reverse", "persistent"} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Model: rehearse.FIFO}, sharing(b.do))
			if err != nil || len(r.Warnings) == 0 || r.Warnings[0].Kind != rehearse.Isolation ||
				r.Complete != (strategy == "naive") || (r.Shared == "") != r.Complete {
				t.Fatalf("%s, %s: error %v, %s, %v", b.name, strategy, err, r, r.Warnings)
			}
			text := r.Warnings[0].Text
			for _, want := range []string{"left" + b.where, "right" + b.where, " are the same memory; ",
				" wrote it while handling note"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s, %s: got %s\nwant %s", b.name, strategy, text, want)
				}
			}
		}
	}
}

// What both only read, and what each has for itself, is no breach.
func TestUnsharedMemory(t *testing.T) {
	own := func(do func(*holder, any)) rehearse.System {
		return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
			for _, name := range []string{"left", "right"} {
				ctx.Send(ctx.SpawnNamed(name,
					&holder{p: &purse{coins: map[string]int{}, next: &purse{}}, list: make([]int, 2), do: do}), note{No: 1})
			}
		})
	}
	reads := func(h *holder, _ any) { h.list = []int{len(h.p.coins) + h.p.n} }
	systems := []rehearse.System{sharing(nil), sharing(reads)}
	for _, b := range breaches {
		systems = append(systems, own(b.do))
	}
	for i, sys := range systems {
		r, err := rehearse.Explore(rehearse.Config{Strategy: "optimal"}, sys)
		if err != nil || !r.Complete || len(r.Warnings) > 0 {
			t.Errorf("%d: error %v, %s, %v", i, err, r, r.Warnings)
		}
	}
}

// letter is a message that leads to memory.
type letter struct{ text []byte }

// writer writes into the letters that it gets, or has sent.
type writer struct {
	to           actor.Ref
	keeps, write bool
	has          *letter
}

func (w *writer) Receive(ctx *actor.Context, msg any) {
	l, ok := msg.(*letter)
	if !ok {
		l = &letter{[]byte("hello")}
	}
	if w.has != nil && w.write {
		w.has.text[0]++
	}
	if w.keeps {
		w.has = l
	}
	if ok && w.write {
		l.text[0]++
	}
	if !ok && (w.to != actor.Ref{}) {
		ctx.Send(w.to, l)
	}
}

// Messages are judged as messages: one that is handed over belongs to its receiver. One that its sender keeps and
// writes, or its receiver writes while the sender has it, is a breach, unless it was copied.
func TestSharedMessages(t *testing.T) {
	for _, tt := range []struct {
		from, to writer
		want     string
	}{
		{writer{}, writer{keeps: true, write: true}, ""},
		{writer{keeps: true}, writer{keeps: true}, ""},
		{writer{keeps: true, write: true}, writer{keeps: true}, "from"},
		{writer{keeps: true, write: true}, writer{}, "from"},
		{writer{keeps: true}, writer{write: true}, "to"},
	} {
		for _, share := range []bool{true, false} {
			sys := actor.New(func(_ *rehearse.T, ctx *actor.Context) {
				from, to := tt.from, tt.to
				from.to = ctx.SpawnNamed("to", &to)
				f := ctx.SpawnNamed("from", &from)
				ctx.Send(f, note{No: 1})
				ctx.Send(f, note{No: 2})
			})
			r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", ShareMessages: share, Model: rehearse.FIFO}, sys)
			if err != nil || (len(r.Warnings) > 0) != (share && tt.want != "") {
				t.Errorf("%+v, share %v: error %v, %s, %v", tt, share, err, r, r.Warnings)
			}
			if share && tt.want != "" && !slices.ContainsFunc(r.Warnings,
				func(v rehearse.Violation) bool { return strings.Contains(v.Text, tt.want+" wrote it") }) {
				t.Errorf("%+v: %v", tt, r.Warnings)
			}
		}
	}
}

// As an error, shared memory is a finding with a schedule. It is seen when the first execution is repeated.
func TestSharedMemoryIsAnError(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Checks: rehearse.Levels{rehearse.Isolation: rehearse.Error}},
		sharing(breaches[0].do))
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Violation.Kind != rehearse.Isolation ||
		r.Findings[0].Execution != 1 ||
		r.Findings[0].Schedule == nil || r.Diverged || !strings.HasSuffix(r.String(), ": use naive, which does not") {
		t.Errorf("error %v, %s, %+v", err, r, r.Findings)
	}
	r, err = rehearse.Explore(rehearse.Config{Checks: rehearse.Levels{rehearse.Isolation: rehearse.Off}},
		sharing(breaches[0].do))
	if err != nil || len(r.Findings)+len(r.Warnings) > 0 || !r.Complete {
		t.Errorf("error %v, %s, %+v", err, r, r.Findings)
	}
}

// What captured variables lead to is not seen; the result says so.
func TestUnseenMemory(t *testing.T) {
	sys := actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		n := 0
		for _, name := range []string{"left", "right"} {
			ctx.Send(ctx.SpawnNamed(name, actor.Func(func(*actor.Context, any) { n++ })), note{No: 1})
		}
	})
	for _, workers := range []int{1, 2} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Workers: workers}, sys)
		if want := "nobody looked behind github.com/rehearse-go/rehearse_test.TestUnseenMemory.func1.1"; err != nil ||
			!strings.Contains(r.String(), want) {
			t.Error(fmt.Sprint(err), r, "\nwant", want)
		}
	}
}

// sealed is what actors share although nobody can look into it.
type sealed struct {
	pool  *sync.Pool
	inner struct{ alarm *time.Timer }
	each  []*time.Ticker
	ctx   context.Context
	box   any
}

func (*sealed) Receive(*actor.Context, any) {}

// A pool or a timer that two actors reach is named with both places. Results of reductions are not complete then: who
// uses it decides what the other gets. Of files, connections and contexts it is said that nobody looked behind them.
func TestSealedMemory(t *testing.T) {
	pool, timer, ticker := &sync.Pool{}, time.NewTimer(time.Hour), time.NewTicker(time.Hour)
	defer ticker.Stop()
	defer timer.Stop()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	byValue := &struct{ pool sync.Pool }{}
	for _, tt := range []struct {
		name    string
		make    func() *sealed
		want    string
		decides bool
	}{
		{"a pool", func() *sealed { return &sealed{pool: pool} }, "right.pool and left.pool are the same sync.Pool", true},
		{"a timer", func() *sealed { s := &sealed{}; s.inner.alarm = timer; return s },
			"right.inner.alarm and left.inner.alarm are the same time.Timer", true},
		{"a ticker", func() *sealed { return &sealed{each: []*time.Ticker{nil, ticker}} },
			"right.each[1] and left.each[1] are the same time.Ticker", true},
		{"in an interface", func() *sealed { return &sealed{box: timer} },
			"right.box and left.box are the same time.Timer", true},
		{"by value", func() *sealed { return &sealed{box: byValue} },
			"right.box.pool and left.box.pool are the same sync.Pool", true},
		{"a context", func() *sealed { return &sealed{ctx: ctx} },
			"the context.cancelCtx at left.ctx which is right.ctx too", false},
		{"their own", func() *sealed { return &sealed{pool: &sync.Pool{}, box: &struct{ pool sync.Pool }{}} }, "", false},
		{"none", func() *sealed { return &sealed{ctx: context.Background()} }, "", false},
	} {
		sys := actor.New(func(_ *rehearse.T, ctx *actor.Context) {
			for _, name := range []string{"left", "right"} {
				ctx.Send(ctx.SpawnNamed(name, tt.make()), note{No: 1})
			}
		})
		for _, strategy := range []string{"auto", "naive", "optimal", "reverse"} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy}, sys)
			if err != nil || r.Complete != (!tt.decides || strategy == "naive") || (r.Shared == "") != r.Complete {
				t.Errorf("%s, %s: error %v, %s", tt.name, strategy, err, r)
			}
			if !(r.Complete && tt.decides) && !strings.Contains(r.String(), tt.want) {
				t.Errorf("%s, %s: %s\nwant %s", tt.name, strategy, r, tt.want)
			}
			if r.Complete && strings.Contains(r.String(), "which is right.") != (tt.want != "") {
				t.Errorf("%s, %s: %s", tt.name, strategy, r)
			}
		}
	}
}
