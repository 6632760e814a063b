package startstate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
)

type cell struct {
	n    int
	next *cell
}

type holder struct {
	ring   *cell
	all    [3]cell
	second *cell  // in all
	count  *int   // a field of it
	row    []int  // of four
	end    []int  // the end of row
	part   []cell // of all
	self   actor.Ref
	nobody actor.Ref
	driver actor.Ref
	names  map[string]*cell
	any    any
	does   func(int) int
	bound  func(int) int
	plain  func(int) int
	quit   chan int
	z      complex128
	f      float64
	text   string
	log    strings.Builder
	made   map[int]int
	ctx    *actor.Context
}

func (h *holder) Receive(*actor.Context, any) {}
func (h *holder) add(n int) int               { return h.all[0].n + n }
func twice(n int) int                         { return 2 * n }

//go:noinline
func rich() *actor.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		h := &holder{ring: &cell{n: 1}, row: []int{1, 2, 3, 4}, quit: make(chan int), z: 1i, f: math.Pi, text: "\xffé",
			made: map[int]int{}, any: cell{n: 7}, driver: ctx.Self()}
		h.ring.next = h.ring
		h.second, h.count = &h.all[1], &h.all[2].n
		h.end, h.part = h.row[2:], h.all[1:]
		h.names = map[string]*cell{"ring": h.ring, "second": h.second}
		k := 3
		h.does = func(n int) int { return n + k }
		h.bound, h.plain = h.add, twice
		h.log.WriteString("x")
		h.ctx = ctx
		h.self = ctx.Spawn(h)
		ctx.Send(h.self, cell{n: 2, next: h.ring})
	})
}

// state gives the state of a system.
func state(t *testing.T, s explore.System) *startstate.State {
	t.Helper()
	st, err := startstate.Of(s, explore.Conditions{Model: trace.Bag, Copy: true},
		func() *explore.T { return explore.NewT("T", nil) })
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// text writes a value for people, with one level of memory.
func text(v startstate.Value) string {
	var parts []string
	for _, p := range v.Parts {
		parts = append(parts, text(p))
	}
	name := v.Text[strings.LastIndexByte(v.Text, '/')+1:]
	switch v.Kind {
	case startstate.Zero:
		return "0"
	case startstate.Number:
		return v.Text
	case startstate.String:
		return fmt.Sprintf("%q", v.Bytes)
	case startstate.Parts:
		return "{" + strings.Join(parts, " ") + "}"
	case startstate.Slice:
		return fmt.Sprintf("slice(%d%v from %d len %d cap %d)", v.Index, v.Path, v.From, v.Len, v.Cap)
	case startstate.Function:
		return fmt.Sprintf("func %s(%s)", name, strings.Join(parts, " "))
	case startstate.Interface:
		return v.Type[strings.LastIndexByte(v.Type, '/')+1:] + ":" + strings.Join(parts, " ")
	case startstate.Unread:
		return "unread " + name
	}
	return fmt.Sprintf("%s(%d%v)", v.Kind, v.Index, v.Path)
}

func TestValues(t *testing.T) {
	s := state(t, rich())
	a := s.Actors[0]
	if got := text(a.Behaves); got != "startstate_test.holder:pointer(0[])" {
		t.Errorf("it behaves as %s", got)
	}
	want := []string{
		"pointer(2[])", "0", "pointer(0[1 1])", "pointer(0[1 2 0])", "slice(3[] from 0 len 4 cap 4)",
		"slice(3[] from 2 len 2 cap 2)", "slice(0[1] from 1 len 2 cap 2)",
		"actor(0[])", "0", "actor(-1[])", "map(4[])", "startstate_test.cell:{7 0}", "func startstate_test.rich.func1.1()",
		"func startstate_test.(*holder).add-fm(pointer(0[]))",
		"func startstate_test.twice()", "unread a chan int", "unread a complex128", fmt.Sprint(math.Float64bits(math.Pi)),
		`"\xffé"`, "unread a strings.Builder", "map(5[])", "actor(-1[])"}
	h := s.Memory[0].Value
	if len(h.Parts) != len(want) {
		t.Fatalf("%d fields, want %d: %+v", len(h.Parts), len(want), h)
	}
	for i, p := range h.Parts {
		if got := text(p); got != want[i] {
			t.Errorf("field %d is %s, want %s", i, got, want[i])
		}
	}
	for i, want := range []string{1: "{1 pointer(1[])}", 2: "{1 pointer(2[])}", 3: "{1 2 3 4}"} {
		if got := text(s.Memory[i].Value); i > 0 && got != want {
			t.Errorf("memory %d is %s, want %s", i, got, want)
		}
	}
	entries := s.Memory[4].Entries
	if len(entries) != 2 || text(entries[0][1]) != "pointer(2[])" || text(entries[1][1]) != "pointer(0[1 1])" {
		t.Errorf("the map has %+v", entries)
	}
	// What a message leads to is a copy.
	if m := s.Messages; len(m) != 1 || m[0].From != -1 || m[0].To != 0 ||
		text(m[0].Value) != "startstate_test.cell:{2 pointer(1[])}" {
		t.Errorf("messages %+v", m)
	}
}

// What is in the middle of something, or beside actors and messages, is told.
func TestWhatIsNotRead(t *testing.T) {
	s := state(t, actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		a := ctx.Spawn(&holder{})
		ctx.After(1, "timer")
		ctx.Call(a, "question")
	}))
	if s.Waits == "" || len(s.Unread) != 1 || !s.Messages[0].Call {
		t.Errorf("waits for %q, unread %q, messages %+v", s.Waits, s.Unread, s.Messages)
	}
	s = state(t, actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		a, quit := ctx.Spawn(&holder{}), make(chan int)
		go func() { <-quit }()
		ctx.Send(a, 1)
		close(quit)
	}))
	if len(s.Unread) == 0 || !strings.Contains(s.Unread[0], "goroutine") {
		t.Errorf("unread %q, want the goroutine", s.Unread)
	}
	big := &holder{row: make([]int, 5000), made: map[int]int{}}
	for i := range 5000 {
		big.made[i] = i
	}
	s = state(t, actor.New(func(_ *rehearse.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(big), 1) }))
	if p := s.Memory[0].Value.Parts; text(p[4]) != "unread a slice of 5000 elements" ||
		text(p[20]) != "unread a map of 5000 entries" {
		t.Errorf("it holds %s and %s", text(p[4]), text(p[20]))
	}
	s = state(t, actor.New(func(t *rehearse.T, ctx *actor.Context) {
		if t.Choose(2) == 0 {
			ctx.Send(ctx.Spawn(&holder{}), 1)
		}
	}))
	if !s.Chose || len(s.Messages) != 1 {
		t.Errorf("chose %v, messages %+v", s.Chose, s.Messages)
	}
}

// A Check that is asked for its start explores nothing.
func TestCheckTellsItsStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "starts")
	t.Setenv(startstate.Variable, path)
	for range 2 {
		if r := rehearse.Check(t, rehearse.Config{}, rich()); r.Executions != 0 {
			t.Errorf("%d executions", r.Executions)
		}
	}
	if _, err := rehearse.Explore(rehearse.Config{}, rich()); err != nil {
		t.Error(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list, err := startstate.Read(data)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d starts, %v", len(list), err)
	}
	s := list[0]
	if s.Test != t.Name() || len(s.Made) < 2 || !strings.HasSuffix(s.Made[0].Function, "startstate_test.rich") ||
		!strings.HasSuffix(s.Made[1].Function, "TestCheckTellsItsStart") {
		t.Errorf("of %s, made at %+v", s.Test, s.Made)
	}
	again, err := json.Marshal(list[1].Memory)
	if first, _ := json.Marshal(s.Memory); err != nil || string(first) != string(again) {
		t.Errorf("%s\nand then\n%s", first, again)
	}
	if _, err := startstate.Read([]byte(`{"version":9,"test":"T"}`)); err == nil ||
		!strings.Contains(err.Error(), "format 9, want 1") {
		t.Errorf("of another version: %v", err)
	}
	if _, err := startstate.Read([]byte(`{`)); err == nil {
		t.Error("half a start is read")
	}
}
