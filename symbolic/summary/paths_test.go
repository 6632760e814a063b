package summary_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// summaries prints what the handlers of the actor types zz... do, which are declared by a source beside those of a
// package.
func summaries(t *testing.T, dir, source string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(dir, "zz.go"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := summary.Load(load.Config{Dir: dir, Patterns: []string{"."}, NoTests: true, Overlay: map[string][]byte{file: []byte(source)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range p.Problems {
		if strings.Contains(problem.Place, "zz.go") {
			t.Fatal(problem)
		}
	}
	store, solver := embedded(t)
	q := summary.New(p, store, solver)
	var b strings.Builder
	for _, h := range q.Handlers(t.Context()) {
		if strings.Contains(h.Actor, ".zz") && h.Message != nil {
			q.Print(&b, q.Of(t.Context(), h, exec.Config{Elements: 1}))
		}
	}
	return b.String()
}

// embedded gives a store of terms and its solver, until the test ends.
func embedded(t *testing.T) (*term.Store, solve.Solver) {
	t.Helper()
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := solver.Close(); err != nil {
			t.Error(err)
		}
	})
	return store, solver
}

// same compares what is printed, line by line, without places.
func same(t *testing.T, got, want string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(got) {
		line = strings.TrimRight(line, "\n")
		if i := strings.LastIndex(line, " ("); i >= 0 && strings.HasSuffix(line, ")") && strings.Contains(line[i:], ".go:") {
			line = line[:i]
		} else if i := strings.Index(line, " (zz.go:"); i >= 0 {
			line = line[:i] + line[i+strings.Index(line[i:], ")")+1:]
		}
		lines = append(lines, line)
	}
	if got := strings.Join(lines, "\n"); got != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNativeOperations(t *testing.T) {
	got := summaries(t, "../../subjects", `package subjects

import (
	"errors"

	"github.com/rehearse-go/rehearse/actor"
)

type (
	zzCall struct{ to actor.Ref }
	zzMake struct{}
	zzFind struct{ key int }
	zzFail struct{ n int }
	zzWait struct{ f *actor.Future }
)

var errZZ = errors.New("zz")

type zz struct {
	last  actor.Ref
	found map[int]string
}

func (z *zz) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case zzCall:
		v, err := ctx.Call(m.to, zzMake{})
		if err != nil {
			return
		}
		if n, ok := v.(int); ok {
			z.last = m.to
			ctx.Reply(10 / n)
		}
	case zzMake:
		a, b := ctx.Spawn(&zz{}), ctx.Spawn(&zz{})
		if a == b || a == z.last {
			panic("two actors are one")
		}
		z.last = a
	case zzFind:
		if name, ok := z.found[m.key]; ok {
			delete(z.found, m.key)
			z.found[m.key+1] = name
		}
	case zzFail:
		if err := z.check(m.n); errors.Is(err, errZZ) {
			panic(err)
		}
	case zzWait:
		ctx.Await(m.f)
	}
}

func (z *zz) check(n int) error {
	if n > 0 {
		return nil
	}
	return errZZ
}
`)
	same(t, got, nativeWant)
}

func TestProtoactorOperations(t *testing.T) {
	got := summaries(t, "../../examples/threadring", `package threadring

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

type (
	zzSend    struct{ to *actor.PID }
	zzAsk     struct{ key string }
	zzOpen    struct{}
	zzMake    struct{}
	zzRequest interface{ Wanted() int }
	zzOrder   struct{ n int }
)

func (o *zzOrder) Wanted() int { return o.n }

type zzDoor struct{ actor.Behavior }

func newDoor() any {
	z := &zzDoor{}
	z.Become(z.closed)
	return []any{z, &zzOrder{}}
}

func (z *zzDoor) Receive(ctx actor.Context) { z.Behavior.Receive(ctx) }

func (z *zzDoor) closed(ctx actor.Context) {
	if _, ok := ctx.Message().(zzOpen); ok {
		z.Become(z.closed)
	}
}

type zz struct {
	peer *actor.PID
	free int
}

func (z *zz) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case zzSend:
		ctx.Send(m.to, zzAsk{"it is " + ctx.Self().Id})
	case *zzAsk:
		res, err := ctx.RequestFuture(z.peer, m, time.Second).Result()
		if err == nil {
			ctx.Respond(res)
		}
	case zzMake:
		if ctx.Sender() != nil && ctx.Sender().Equal(z.peer) {
			z.peer = ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &zz{} }))
		}
	case zzRequest:
		z.free -= m.Wanted()
		if z.free < 0 {
			panic("overbooked")
		}
	}
}
`)
	same(t, got, protoWant)
}

const nativeWant = `
subjects.zz on subjects.zzCall: 8 paths, exact, complete
  path 1
    if msg.to == nil
    if answer1.error != nil
    call subjects.zzMake to nobody
    return
  path 2
    if msg.to == nil
    if answer1.error == nil
    if answer1 holds int
    if answer1.(int) == 0
    call subjects.zzMake to nobody
    z.last!ref = ref(msg.to)
    panic: integer divide by zero
  path 3
    if msg.to == nil
    if answer1.error == nil
    if answer1 holds int
    if answer1.(int) != 0
    call subjects.zzMake to nobody
    respond int to ref(sender) with msg = int(10) / answer1.(int)
    z.last!ref = ref(msg.to)
    return
  path 4
    if msg.to == nil
    if answer1.error == nil
    if answer1 does not hold int
    call subjects.zzMake to nobody
    return
  path 5
    if msg.to != nil
    if answer1.error != nil
    call subjects.zzMake to ref(msg.to)
    return
  path 6
    if msg.to != nil
    if answer1.error == nil
    if answer1 holds int
    if answer1.(int) == 0
    call subjects.zzMake to ref(msg.to)
    z.last!ref = ref(msg.to)
    panic: integer divide by zero
  path 7
    if msg.to != nil
    if answer1.error == nil
    if answer1 holds int
    if answer1.(int) != 0
    call subjects.zzMake to ref(msg.to)
    respond int to ref(sender) with msg = int(10) / answer1.(int)
    z.last!ref = ref(msg.to)
    return
  path 8
    if msg.to != nil
    if answer1.error == nil
    if answer1 does not hold int
    call subjects.zzMake to ref(msg.to)
    return
subjects.zz on subjects.zzFail: 2 paths, exact, complete
  path 1
    if msg.n > 0
    return
  path 2
    if msg.n <= 0
    panic: panic
subjects.zz on subjects.zzFind: 2 paths, exact, complete
  path 1
    if has(z.found[msg.key])
    if !isNil(z.found)
    z.found[msg.key + 1] = z.found[msg.key]
    z.found[msg.key + 1]!has = true
    z.found[msg.key]!has = false
    return
  path 2
    if !has(z.found[msg.key])
    return
subjects.zz on subjects.zzMake: 1 path, exact, complete
  path 1
    spawn *subjects.zz to ref(spawn1) with msg!ref = int16(-32766), msg.last!ref = int16(0), msg.found!isNil = true
    spawn *subjects.zz to ref(spawn2) with msg!ref = int16(-32765), msg.last!ref = int16(0), msg.found!isNil = true
    z.last!ref = ref(spawn1)
    return
subjects.zz on subjects.zzWait: 1 path, inexact, complete
  path 1
    await
    return
    havoc: what other messages do to the actor while it waits
  until it waits: 1 path, exact, complete
  path 1
    waits
  after wait 1: 1 path, exact, complete
  path 1
    return
`

const protoWant = `
threadring.zz on *threadring.zzAsk: 4 paths, exact, complete
  path 1
    if z.peer == nil
    panic: send to a nil reference
  path 2
    if z.peer != nil
    if answer1.error == nil
    if sender == nil
    ask *threadring.zzAsk to ref(z.peer) with msg!ref = ref(msg)
    await
    respond to nobody with msg!type = sym("answer1!type")
    return
  path 3
    if z.peer != nil
    if answer1.error == nil
    if sender != nil
    ask *threadring.zzAsk to ref(z.peer) with msg!ref = ref(msg)
    await
    respond to ref(sender) with msg!type = sym("answer1!type")
    return
  path 4
    if z.peer != nil
    if answer1.error != nil
    ask *threadring.zzAsk to ref(z.peer) with msg!ref = ref(msg)
    await
    return
threadring.zz on *threadring.zzOrder: 2 paths, exact, complete
  path 1
    if z.free - msg.n < 0
    z.free = z.free - msg.n
    panic: panic("overbooked")
  path 2
    if z.free - msg.n >= 0
    z.free = z.free - msg.n
    return
threadring.zz on threadring.zzMake: 3 paths, exact, complete
  path 1
    if sender != nil
    if ref(sender) == ref(z.peer)
    spawn to ref(spawn1) with msg!ref = int16(-32766)
    z.peer!ref = ref(spawn1)
    return
  path 2
    if sender != nil
    if ref(sender) != ref(z.peer)
    return
  path 3
    if sender == nil
    return
threadring.zz on threadring.zzSend: 2 paths, exact, complete
  path 1
    if msg.to == nil
    panic: send to a nil reference
  path 2
    if msg.to != nil
    send threadring.zzAsk to ref(msg.to) with msg.key = "it is " + reference.Id(ref(self))
    return
threadring.zzDoor on threadring.zzOpen: 3 paths, exact, complete
  path 1
    if len(z.Behavior) == 0
    return
    closed: a stack of behaviours has one at most, since the program puts none on another
  path 2
    if len(z.Behavior) == 1
    if z.Behavior[0] == nil
    panic: nil dereference
    closed: a stack of behaviours has one at most, since the program puts none on another
    closed: z.Behavior[0] is one of the program's 1 functions of its type
  path 3
    if len(z.Behavior) == 1
    if ref(z.Behavior[0]) == 2
    become
    z.Behavior!len = 1
    z.Behavior[0]!ref = int16(2)
    z.Behavior[0].recv!ref = ref(z)
    return
    closed: a stack of behaviours has one at most, since the program puts none on another
    closed: z.Behavior[0] is one of the program's 1 functions of its type
`
