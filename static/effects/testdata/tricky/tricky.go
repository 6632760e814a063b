// Package tricky holds handlers whose effects are easy to get wrong. The comment above each type says what its handler of message do does.
package tricky

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/actor"
)

type (
	do    struct{ n int }
	other struct{}
	note  struct{ text *string }
)

// reads=[a] writes=[b]
type plain struct{ a, b int }

func (s *plain) Receive(_ *actor.Context, msg any) {
	if _, ok := msg.(do); ok {
		s.b = s.a
	}
}

// Two fields may be one map. reads=[m] writes=[m[] same]
type twoMaps struct {
	m, same map[string]int
	strange map[string]bool
}

func (s *twoMaps) Receive(_ *actor.Context, _ any) { s.m["a"] = 1 }

// A pointer may lead into what another slice holds. reads=[first] writes=[all first.n]
type into struct {
	first *node
	all   []node
	names []string
}

type node struct{ n int }

func (s *into) Receive(_ *actor.Context, _ any) { s.first.n++ }

// Of this one somebody holds the address of a field: see expose. reads=[p] writes=[count p]
type exposed struct {
	p     *int
	count int
	name  string
}

func expose() *exposed {
	s := &exposed{}
	s.p = &s.count
	return s
}

func (s *exposed) Receive(_ *actor.Context, _ any) { *s.p = 3 }

// The other way round: what p leads to changes with the field. writes=[count p]
type direct struct {
	p     *int
	count int
}

func exposeDirect() *direct {
	s := &direct{}
	s.p = &s.count
	return s
}

func (s *direct) Receive(_ *actor.Context, _ any) { s.count = 3 }

// A reference to itself. reads=[me] writes=[me me.n n]
type selfish struct {
	me *selfish
	n  int
}

func (s *selfish) Receive(_ *actor.Context, _ any) { s.me.n = 1 }

// reads=[deep deep.list] writes=[deep.list deep.list[] deep.seen]
type nested struct {
	deep struct {
		list []int
		seen bool
	}
	untouched int
}

func (s *nested) Receive(_ *actor.Context, _ any) {
	d := &s.deep
	d.list = append(d.list, 1)
	defer mark(&d.seen)
}

func mark(b *bool) { *b = true }

// reads=[list other] writes=[list[] other[]]
type copies struct{ list, other []int }

func (s *copies) Receive(_ *actor.Context, _ any) { copy(s.list, s.other) }

// reads=[gone kept] writes=[gone[]]
type deletes struct {
	gone map[int]bool
	kept int
}

func (s *deletes) Receive(_ *actor.Context, _ any) { delete(s.gone, s.kept) }

// reads=[list words] writes=[list[]]
type measures struct {
	list  []int
	words map[string]int
}

func (s *measures) Receive(ctx *actor.Context, _ any) {
	if len(s.words) > 0 {
		clear(s.list)
	}
}

// A copy of the actor: nothing lasts but what is behind references. reads=[.] writes=[m[]]
type byValue struct {
	n int
	m map[int]int
}

func (s byValue) Receive(_ *actor.Context, _ any) {
	s.n++
	s.m[1] = s.n
}

// reads=[store] unknown: an interface
type hidden struct{ store fmt.Stringer }

func (s *hidden) Receive(_ *actor.Context, _ any) { _ = s.store.String() }

// An interface that can hold one type only. reads=[n]
type local struct{ n int }

func (s *local) Receive(_ *actor.Context, _ any) {
	var x fmt.Stringer = view{s}
	_ = x.String()
}

type view struct{ of *local }

func (v view) String() string { return fmt.Sprint(v.of.n) }

// unknown: a function that is kept
type keepsFunc struct{ f func() }

func (s *keepsFunc) Receive(_ *actor.Context, _ any) { s.f() }

// reads=[n] writes=[n]
type closes struct{ n int }

func (s *closes) Receive(_ *actor.Context, _ any) {
	add := func(by int) { s.n += by }
	twice(add)
}

func twice(f func(int)) { f(1); f(2) }

// reads=[n] writes=[n]
type methodValue struct{ n int }

func (s *methodValue) Receive(_ *actor.Context, _ any) { twice(s.add) }
func (s *methodValue) add(by int)                      { s.n += by }

var (
	fixed    = []int{1, 2, 3}
	counter  int
	shared   = map[string]int{}
	limits   = [2]int{1, 2}
	anErr    = fmt.Errorf("no")
	replaced = 1
)

func init() { replaced = 2 }

// reads=[i] writes=[i]
type readsFixed struct{ i int }

func (s *readsFixed) Receive(_ *actor.Context, _ any) {
	if s.i < len(fixed) && anErr != nil {
		s.i = fixed[s.i] + limits[1]
	}
}

// unknown: a variable that changes
type readsCounter struct{ i int }

func (s *readsCounter) Receive(_ *actor.Context, _ any) { s.i = counter }

func bump() { counter++ }

// unknown: a variable
type writesShared struct{ i int }

func (s *writesShared) Receive(_ *actor.Context, _ any) { shared["a"] = s.i }

// unknown: a variable that an init function changes
type readsReplaced struct{ i int }

func (s *readsReplaced) Receive(_ *actor.Context, _ any) { s.i = replaced }

// It writes the message, and keeps it. writes=[last] shares
type scribbles struct{ last *string }

func (s *scribbles) Receive(_ *actor.Context, msg any) {
	if m, ok := msg.(note); ok {
		*m.text = "read"
		s.last = m.text
	}
}

// unknown: a goroutine
type starts struct{ n int }

func (s *starts) Receive(_ *actor.Context, _ any) { go twice(func(int) { s.n++ }) }

// unknown: a channel
type channels struct{ c chan int }

func (s *channels) Receive(_ *actor.Context, _ any) { s.c <- 1 }

// unknown: unsafe
type unsafely struct{ n int }

func (s *unsafely) Receive(_ *actor.Context, _ any) { *(*int8)(unsafe.Pointer(&s.n)) = 1 }

// reads=[list] writes=[list[]]
type sorts struct{ list []string }

func (s *sorts) Receive(_ *actor.Context, _ any) {
	sort.Slice(s.list, func(i, j int) bool { return s.list[i] < s.list[j] })
	slices.Reverse(s.list)
}

// What comes of the library may be what it was given. reads=[list list[]] writes=[list[]]
type throughLibrary struct{ list []*node }

func (s *throughLibrary) Receive(_ *actor.Context, _ any) {
	found := slices.MaxFunc(s.list, func(a, b *node) int { return a.n - b.n })
	found.n = 0
}

// reads=[b] writes=[b text]
type builds struct {
	b    strings.Builder
	text string
}

func (s *builds) Receive(_ *actor.Context, _ any) {
	s.b.WriteString("x")
	s.text = strings.ToUpper(s.b.String())
}

// reads=[n] writes=[n] by a generic helper
type generic struct{ n int }

func (s *generic) Receive(_ *actor.Context, _ any) { inc(&s.n) }

func inc[T int | int8](p *T) { *p++ }

// reads=[v] writes=[v]: an instance of a generic type
type box[T any] struct{ v []T }

func (s *box[T]) Receive(_ *actor.Context, _ any) { s.v = s.v[:0] }

var _ actor.Behavior = (*box[int])(nil)

// reads=[n] writes=[n]: recursion
type recursive struct{ n int }

func (s *recursive) Receive(_ *actor.Context, _ any) { s.down(3) }

func (s *recursive) down(k int) {
	if k > 0 {
		s.n++
		s.down(k - 1)
	}
}

// Promoted. reads=[plain.a] writes=[plain.b]
type embeds struct{ plain }

// Reached through what was stored: list may now hold first. writes=[first[] keep list list[] ...]
type moves struct {
	first []int
	list  [][]int
	keep  bool
}

func (s *moves) Receive(_ *actor.Context, _ any) {
	s.list = append(s.list, s.first)
	s.list[0][0] = 7
}

// A fresh object that leads into the actor. reads=[inner] writes=[inner.n]
type wraps struct {
	inner *node
	plain int
}

type wrapper struct{ to *node }

func (s *wraps) Receive(_ *actor.Context, _ any) {
	w := &wrapper{}
	w.to = s.inner
	change(w)
}

func change(w *wrapper) { w.to.n = 2 }

// reads=[m m[]] writes=[m[].n]: what a range over a map gives
type ranges struct{ m map[int]*node }

func (s *ranges) Receive(_ *actor.Context, _ any) {
	for _, n := range s.m {
		n.n++
	}
}

// reads=[a] writes=[b]: only the branch of the message counts, in a helper too
type dispatches struct{ a, b, c int }

func (s *dispatches) Receive(ctx *actor.Context, msg any) { s.handle(msg) }

func (s *dispatches) handle(msg any) {
	switch m := msg.(type) {
	case *other, other:
		s.c = 1
	case do:
		s.b = s.a + m.n
	}
}

// writes=[c]: what comes before the switch counts for all; the message is of none of the cases
type before struct{ a, b, c int }

func (s *before) Receive(_ *actor.Context, msg any) {
	s.c++
	switch msg.(type) {
	case other:
		s.a = 1
	default:
		s.b = 1
	}
}

// sends tricky.note, *tricky.do, =, ?
type sendsAll struct {
	to   actor.Ref
	last any
}

func (s *sendsAll) Receive(ctx *actor.Context, msg any) {
	s.tell(ctx, note{})
	s.tell(ctx, &do{})
	ctx.Send(s.to, msg)
	ctx.Reply(s.last)
}

func (s *sendsAll) tell(ctx *actor.Context, m any) { ctx.Send(s.to, m) }

// It becomes a function that writes n.
type becomes struct{ n, m int }

func (s *becomes) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(other); ok {
		ctx.Become(actor.Func(s.later))
		return
	}
	s.m = 1
}

func (s *becomes) later(_ *actor.Context, _ any) { s.n = 1 }

// unknown: it becomes what it was given.
type becomesAny struct {
	n    int
	next actor.Behavior
}

func (s *becomesAny) Receive(ctx *actor.Context, _ any) { ctx.Become(s.next) }

// writes=[n] behind an iterator of ours
type iterates struct{ n, unread int }

func (s *iterates) Receive(_ *actor.Context, _ any) {
	for i := range upTo(3) {
		s.n = i
	}
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// All that the actor is. reads=[...] writes=[.]
type resets struct {
	n int
	m map[int]int
}

func (s *resets) Receive(_ *actor.Context, _ any) { *s = resets{n: s.n} }

// Somebody holds the address of a part of a part. writes=[deep.n p]
type partOfPart struct {
	deep struct{ n int }
	p    *int
}

func exposePart() *partOfPart {
	s := &partOfPart{}
	s.p = &s.deep.n
	return s
}

func (s *partOfPart) Receive(_ *actor.Context, _ any) { s.deep.n = 1 }

// What leads back to the actor leads to its parts. writes=[deep me.deep.n]
type selfDeep struct {
	deep struct{ n int }
	me   *selfDeep
	name string
}

func (s *selfDeep) Receive(_ *actor.Context, _ any) { s.me.deep.n = 1 }

// Library functions that write. writes=[buf text]
type appends struct {
	buf  bytes.Buffer
	text []byte
	n    int
}

func (s *appends) Receive(_ *actor.Context, _ any) {
	s.buf.Write(strconv.AppendInt(s.text, int64(s.n), 10))
}

// unknown: a panic of any kind is asked something
type recovers struct{ n int }

func (s *recovers) Receive(_ *actor.Context, _ any) {
	defer func() {
		if err, ok := recover().(fmt.Stringer); ok {
			_ = err.String()
		}
	}()
	s.n++
}

// Handlers tell a message from a pointer to it; traces do not. reads and writes=[byPointer byValue]
type forms struct{ byValue, byPointer int }

func (s *forms) Receive(_ *actor.Context, msg any) {
	switch msg.(type) {
	case do:
		s.byValue++
	case *do:
		s.byPointer++
	}
}

func use() []any {
	return []any{exposePart(), expose(), exposeDirect(), bump, embeds{}, &box[int]{}, other{}}
}
