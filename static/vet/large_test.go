package vet

import (
	"fmt"
	"strings"
	"testing"
)

// Programs that are large in one direction: the work that they take is bounded, far above what they need and far below
// what an explosion takes.
func TestLargePrograms(t *testing.T) {
	const header = "package p\n\nimport \"github.com/asynkron/protoactor-go/actor\"\n\ntype msg struct{ m map[string]*msg; next *msg }\n\ntype w struct{ m map[string]*msg; next *msg; to *actor.PID }\n\n"
	for name, body := range map[string]string{
		"a switch with many cases": many(500, "type T%d struct{ m *msg }\n") +
			"func (a *w) Receive(ctx actor.Context) {\n\tswitch m := ctx.Message().(type) {\n" + many(500, "\tcase T%[1]d:\n\t\ta.next = m.m\n\t\tctx.Send(a.to, T%[1]d{m.m.next})\n") + "\t}\n}\n",
		"a long function":     "func (a *w) Receive(ctx actor.Context) {\n\tm := &msg{}\n" + many(800, "\tm = &msg{a.m, m}\n\ta.m[\"%d\"] = m\n\tctx.Send(a.to, m)\n") + "}\n",
		"a chain of branches": "func (a *w) Receive(ctx actor.Context) {\n\tm := a.next\n" + many(300, "\tif m.next != nil {\n\t\tm, a.next = m.next, m.m[\"%d\"]\n\t}\n") + "\tctx.Send(a.to, m)\n\tm.next = nil\n}\n",
		"a ring of functions": "func (a *w) Receive(ctx actor.Context) { f0(a, a.next, ctx) }\n" +
			manyNext(60, "func f%d(a *w, m *msg, ctx actor.Context) *msg {\n\ta.next = m\n\tctx.Send(a.to, m)\n\treturn f%d(a, m.next, ctx)\n}\n"),
		"a tree of calls, each twice": "func (a *w) Receive(ctx actor.Context) { f0(a, a.next, ctx) }\n" +
			manyNext(20, "func f%[1]d(a *w, m *msg, ctx actor.Context) *msg {\n\ta.m[\"a\"] = f%[2]d(a, m.next, ctx)\n\tctx.Send(a.to, m)\n\treturn f%[2]d(a, m, ctx)\n}\n"),
		"deep embedding":       "type d0 struct{ w }\n" + manyBefore(60, "type d%d struct{ *d%d }\n") + "func (d *d59) Receive(ctx actor.Context) { d.next = d.next.next; d.w.m = nil }\n",
		"closures in closures": "func (a *w) Receive(ctx actor.Context) {\n\tm := a.next\n" + strings.Repeat("\tfunc() {\n\tm = m.next\n\tdefer func() { a.next = m }()\n", 40) + strings.Repeat("\t}()\n", 40) + "\tctx.Send(a.to, m)\n}\n",
		"many spawns of one object": "func (a *w) Receive(ctx actor.Context) { a.next.m = nil }\n\nfunc Start(root *actor.RootContext) {\n\tm := &msg{}\n" +
			many(80, "\troot.Spawn(actor.PropsFromProducer(func() actor.Actor { return &w{nil, m, nil} })) // %d\n") + "}\n",
		"many types behind an interface": "type do interface{ do(*w) *msg }\n" + many(60, "type i%[1]d struct{ *msg }\n\nfunc (i i%[1]d) do(a *w) *msg { a.next = i.next; return i.msg }\n\nvar _ do = i%[1]d{}\n") +
			"func (a *w) Receive(ctx actor.Context) {\n\td, _ := ctx.Message().(do)\n" + many(30, "\ta.m[\"%d\"] = d.do(a)\n") + "}\n\nfunc use() []do { return []do{" + many(60, "i%d{}, ") + "} }\n",
		"generic types that nest": "type box[T any] struct{ v T; b *box[T]; all []box[T] }\n\nfunc wrap[T any](v T) box[T] { return box[T]{v: v, b: &box[T]{v: v}} }\n\nfunc (a *w) Receive(ctx actor.Context) {\n\tb0 := wrap(a.next)\n" +
			manyBefore(25, "\tb%d := wrap(&b%d)\n") + "\tctx.Send(a.to, b24)\n\ta.next.next = nil\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			analyzed(t, source{"large", header + body})
		})
	}
}

// many repeats a text with numbers from 0.
func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// manyNext gives each number and the next one, the last one and 0.
func manyNext(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i, (i+1)%n)
	}
	return b.String()
}

// manyBefore gives each number from 1 and the one before.
func manyBefore(n int, format string) string {
	var b strings.Builder
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, format, i, i-1)
	}
	return b.String()
}
