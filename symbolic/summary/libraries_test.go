package summary_test

import (
	"regexp"
	"testing"
)

// numbers are those of types and functions, which depend on all of the program.
var numbers = regexp.MustCompile(`(ref\(z\.count\) ==|!type =) (int16\()?[0-9]+\)?`)

// TestNativeLibraries summarises what handlers do with package sync, sorting, bytes, channels, and with functions that
// capture.
func TestNativeLibraries(t *testing.T) {
	got := summaries(t, "../../subjects", `package subjects

import (
	"context"
	"os"
	sorting "sort"
	"sync"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/actor"
)

type (
	zzSeen  struct{ key int }
	zzOnce  struct{}
	zzCount struct{ most int }
	zzSort  struct{ n [2]int }
	zzBytes struct{ text string }
	zzPass  struct{ to chan int }
	zzFile  struct{ name string }
	zzHeld  struct{ p *int }
	zzPick  struct{}
)

type zzShape interface{ area() int }
type zzSquare struct{ side int }
type zzOther struct{ n int }

func (s zzSquare) area() int { return s.side }
func (s zzOther) area() int  { return s.n }

type zz struct {
	seen  sync.Map
	once  sync.Once
	on    atomic.Bool
	held  atomic.Pointer[int]
	count func() int
	shape zzShape
	n     int
}

// newZZ makes an actor, and beside it what would fit into its fields.
func newZZ() []any {
	n := 0
	return []any{&zz{shape: zzSquare{1}, count: func() int { n++; return n }}, zzOther{1}, func() int { return 7 }}
}

func (z *zz) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case zzSeen:
		if _, ok := z.seen.LoadOrStore(m.key, true); ok {
			z.n++
		}
	case zzOnce:
		z.once.Do(func() { z.n++ })
		z.on.Store(!z.on.Load())
	case zzCount:
		if z.count() > m.most {
			panic("too many")
		}
	case zzSort:
		s := m.n[:]
		sorting.Slice(s, func(i, j int) bool { return s[i] < s[j] })
		z.n = s[0]
	case zzBytes:
		b := []byte(m.text)
		if len(b) > 0 && string(b) == "a" {
			z.n++
		}
	case zzPass:
		m.to <- z.n
	case zzFile:
		_, cancel := context.WithCancel(context.Background())
		defer cancel()
		if _, err := os.ReadFile(m.name); err != nil {
			z.n = 0
		}
	case zzHeld:
		z.held.Store(m.p)
		z.n = *z.held.Load()
	case zzPick:
		z.n = z.shape.area()
	}
}
`)
	same(t, numbers.ReplaceAllString(got, "$1 N"), nativeLibraries)
}

// TestProtoactorLibraries summarises what handlers do with sets of references and with the actor system.
func TestProtoactorLibraries(t *testing.T) {
	got := summaries(t, "../../examples/threadring", `package threadring

import (
	"github.com/asynkron/protoactor-go/actor"
)

type (
	zzJoin  struct{ who *actor.PID }
	zzLeave struct{ who *actor.PID }
	zzTell  struct{}
	zzAsk   struct{}
)

type zz struct {
	members *actor.PIDSet
	own     actor.PIDSet
}

func (z *zz) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case zzJoin:
		z.members.Add(m.who)
	case zzLeave:
		if z.own.Remove(m.who) && z.own.Contains(m.who) {
			panic("still there")
		}
	case zzTell:
		ctx.ActorSystem().Root.Send(ctx.Self(), zzAsk{})
	case zzAsk:
		_, err := ctx.RequestFuture(ctx.Self(), zzTell{}, 1).Result()
		if err == actor.ErrTimeout {
			z.own.Clear()
		}
	}
}
`)
	same(t, got, protoactorLibraries)
}

const nativeLibraries = `
subjects.zz on subjects.zzBytes: 3 paths, exact, complete
  path 1
    if msg.text != ""
    if msg.text == "a"
    z.n = z.n + 1
    return
  path 2
    if msg.text != ""
    if msg.text != "a"
    return
  path 3
    if msg.text == ""
    return
subjects.zz on subjects.zzCount: 3 paths, exact, complete
  path 1
    if z.count == nil
    panic: nil dereference
    closed: z.count is one of the program's 1 functions of its type
  path 2
    if ref(z.count) == N
    if msg.most < sym("z.count.n.*") + 1
    z.count.n.* = sym("z.count.n.*") + 1
    panic: panic("too many")
    closed: z.count is one of the program's 1 functions of its type
  path 3
    if ref(z.count) == N
    if msg.most >= sym("z.count.n.*") + 1
    z.count.n.* = sym("z.count.n.*") + 1
    return
    closed: z.count is one of the program's 1 functions of its type
subjects.zz on subjects.zzFile: 2 paths, exact, complete
  path 1
    if ReadFile1.error != nil
    z.n = 0
    return
    env: os.ReadFile
    opaque: a condition depends on what is not modelled: sym("ReadFile1.error!type") != 0
  path 2
    if ReadFile1.error == nil
    return
    env: os.ReadFile
    opaque: a condition depends on what is not modelled: sym("ReadFile1.error!type") == 0
subjects.zz on subjects.zzHeld: 2 paths, exact, complete
  path 1
    if msg.p == nil
    z.held.v!ref = ref(msg.p)
    panic: nil dereference
  path 2
    if msg.p != nil
    z.held.v!ref = ref(msg.p)
    z.n = sym("msg.p.*")
    return
subjects.zz on subjects.zzOnce: 2 paths, exact, complete
  path 1
    if z.once.done.v != 0
    z.on.v = ite(z.on.v == 0, int32(1), int32(0))
    return
  path 2
    if z.once.done.v == 0
    z.n = z.n + 1
    z.on.v = ite(z.on.v == 0, int32(1), int32(0))
    z.once.done.v = int32(1)
    return
subjects.zz on subjects.zzPass: 2 paths, exact, complete
  path 1
    if msg.to == nil
    refused: a send to a nil channel waits for ever
  path 2
    if msg.to != nil
    channel int with msg = z.n
    return
    env: whether a channel has room
subjects.zz on subjects.zzPick: 2 paths, exact, complete
  path 1
    if z.shape == nil
    panic: nil dereference
    closed: z.shape holds one of the program's 1 types that implement subjects.zzShape
  path 2
    if z.shape holds subjects.zzSquare
    z.n = z.shape.(subjects.zzSquare).side
    return
    closed: z.shape holds one of the program's 1 types that implement subjects.zzShape
subjects.zz on subjects.zzSeen: 2 paths, exact, complete
  path 1
    if has(z.seen.m[int(msg.key)])
    z.n = z.n + 1
    return
  path 2
    if !has(z.seen.m[int(msg.key)])
    z.seen.m[int(msg.key)]!has = true
    z.seen.m[int(msg.key)]!type = N
    z.seen.m[int(msg.key)].(bool) = true
    return
subjects.zz on subjects.zzSort: 2 paths, exact, complete
  path 1
    if msg.n[1] < msg.n[0]
    z.n = msg.n[1]
    return
  path 2
    if msg.n[1] >= msg.n[0]
    z.n = msg.n[0]
    return
`

const protoactorLibraries = `
threadring.zz on threadring.zzAsk: 3 paths, exact, complete
  path 1
    if answer1.error holds *errors.errorString
    if ref(answer1.error.(*errors.errorString)) == 16384
    ask threadring.zzTell to ref(self)
    await
    return
  path 2
    if answer1.error holds *errors.errorString
    if ref(answer1.error.(*errors.errorString)) != 16384
    ask threadring.zzTell to ref(self)
    await
    return
  path 3
    if answer1.error does not hold *errors.errorString
    ask threadring.zzTell to ref(self)
    await
    return
threadring.zz on threadring.zzJoin: 3 paths, exact, complete
  path 1
    if z.members == nil
    panic: nil dereference
  path 2
    if z.members != nil
    if msg.who == nil
    panic: nil dereference
  path 3
    if z.members != nil
    if msg.who != nil
    z.members.lookup[ref(msg.who)] = true
    z.members.lookup[ref(msg.who)]!has = true
    return
threadring.zz on threadring.zzLeave: 3 paths, exact, complete
  path 1
    if msg.who == nil
    panic: nil dereference
  path 2
    if msg.who != nil
    if has(z.own.lookup[ref(msg.who)])
    z.own.lookup[ref(msg.who)]!has = false
    return
  path 3
    if msg.who != nil
    if !has(z.own.lookup[ref(msg.who)])
    return
threadring.zz on threadring.zzTell: 1 path, exact, complete
  path 1
    send threadring.zzAsk to ref(self)
    return
`
