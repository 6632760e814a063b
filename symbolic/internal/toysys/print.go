package toysys

import (
	"fmt"
	"go/format"
	"slices"
	"strings"
)

// Source prints the system as a package of native actors. Its function System gives the system, with the driver's own
// messages; the function reached, which does nothing, is not part of it: see Marker. The driver is named as an
// argument, so that it can be executed by itself.
func (s *System) Source(pkg string) string {
	p := &printer{System: s}
	p.line("// Package %s is a random system, made of seed %d.", pkg, s.Seed)
	p.line("package %s\n", pkg)
	p.line("import (\n\t\"time\"\n\n\t\"github.com/rehearse-go/rehearse/actor\"\n\t\"github.com/rehearse-go/rehearse/explore\"\n)\n")
	p.line("const tick = time.Second\n")
	for i, t := range s.Types {
		if t.Ended {
			continue
		}
		p.line("type M%d struct {\n\tN int", i)
		if t.Ref {
			p.line("\tR actor.Ref")
		}
		p.line("}\n")
	}
	for k := range s.Kinds {
		p.kind(k)
	}
	p.driver()
	text, err := format.Source([]byte(p.b.String()))
	if err != nil {
		panic(fmt.Sprintf("toysys: printed what is not Go: %v\n%s", err, p.b.String()))
	}
	return string(text)
}

// Marker is the source of the function reached for those who read the program.
func Marker(pkg string, _ int) string {
	return fmt.Sprintf("package %s\n\nfunc reached(int) {}\n\nfunc try(int) {}\n\nfunc use(int) bool { return false }\n\nfunc fine(int) {}\n", pkg)
}

// CountingMarker is the same for those who execute it: Reached tells which places were. A place of a panic is, if what
// is tried does not turn out fine.
func CountingMarker(pkg string, labels int) string {
	return fmt.Sprintf("package %s\n\nvar (\n\tReached [%d]bool\n\tbefore bool\n)\n\nfunc reached(n int) { Reached[n] = true }\n\n"+
		"func try(n int) { before, Reached[n] = Reached[n], true }\n\nfunc use(int) bool { return false }\n\nfunc fine(n int) { Reached[n] = before }\n", pkg, labels)
}

// typeName is the name of a type of messages.
func (s *System) typeName(ty int) string {
	switch t := s.Types[ty]; {
	case t.Ended:
		return "actor.Terminated"
	case t.Life != "":
		return "*actor." + t.Life
	}
	return fmt.Sprintf("M%d", ty)
}

type printer struct {
	*System
	b strings.Builder
}

func (p *printer) line(form string, args ...any) { fmt.Fprintf(&p.b, form+"\n", args...) }

func (p *printer) kind(k int) {
	kind := &p.Kinds[k]
	p.line("type K%d struct {", k)
	for i := range kind.Ints {
		p.line("\tx%d int", i)
	}
	for i := range kind.Refs {
		p.line("\tr%d actor.Ref", i)
	}
	p.line("\tt actor.TimerID%s\n}\n", kind.panicking())
	var methods, cases strings.Builder
	uses := false
	for ty, h := range kind.Handlers {
		if h == nil {
			continue
		}
		body := p.handler(ty, h)
		fmt.Fprintf(&cases, "\tcase %s:\n", p.typeName(ty))
		if kind.Methods {
			fmt.Fprintf(&methods, "func (k *K%d) on%d(ctx *actor.Context, m %s) {\n%s}\n\n", k, ty, p.typeName(ty), body)
			fmt.Fprintf(&cases, "k.on%d(ctx, m)\n", ty)
			uses = true
			continue
		}
		uses = uses || strings.Contains(body, "m.") || strings.Contains(body, ", m)")
		cases.WriteString(body)
	}
	m := ""
	if uses {
		m = "m := "
	}
	if kind.Func { // inlined, what it makes would be named after the function that calls it
		p.line("//go:noinline\nfunc newK%d(k K%d) actor.Func {\n\treturn func(ctx *actor.Context, msg any) {\n\tswitch %smsg.(type) {\n%s\t}\n}\n}\n", k, k, m, cases.String())
		return
	}
	p.hook(k)
	p.line("func (k *K%d) Receive(ctx *actor.Context, msg any) {\n\tswitch %smsg.(type) {\n%s\t}\n}\n\n%s", k, m,
		cases.String(), methods.String())
}

// panicking gives the fields by which statements panic.
func (k *Kind) panicking() (text string) {
	has := map[Op]bool{}
	for _, h := range slices.Concat(k.Handlers, [][]Stmt{k.Hook}) {
		eachOf(h, func(s *Stmt) { has[s.Op] = true })
	}
	if has[Index] {
		text = "\n\ta [3]int"
	}
	if has[Store] || has[MakeMap] {
		text += "\n\tm map[int]int"
	}
	if has[Put] || has[Drop] || has[Total] {
		text += "\n\tn map[int]int"
	}
	return text
}

// hook prints the start hook of a kind, and its constraints.
func (p *printer) hook(k int) {
	kind := &p.Kinds[k]
	if len(kind.Hook) > 0 {
		p.line("func (k *K%d) Start(ctx *actor.Context) {\n%s}\n", k, p.handler(0, kind.Hook))
	}
	if kind.Accept == nil {
		return
	}
	p.line("func (k *K%d) Accepts(msg any) bool {\n\tswitch msg.(type) {", k)
	for ty, c := range kind.Accept {
		if c != nil {
			p.line("\tcase %s:\n\t\treturn %s", p.typeName(ty), (&texts{System: p.System}).cond(*c))
		}
	}
	p.line("\t}\n\treturn true\n}\n")
}

// handler prints what is done with a message.
func (p *printer) handler(ty int, h []Stmt) string {
	t := &texts{System: p.System, typ: ty}
	t.block(h)
	return t.b.String()
}

// driver prints the driver, and what makes a system of it.
func (p *printer) driver() {
	p.line("// System makes the system.")
	p.line("func System() *actor.System { return actor.New(Driver) }\n")
	p.line("// Driver creates the actors and sends.")
	p.line("func Driver(t *explore.T, ctx *actor.Context) {")
	p.births()
	x := &texts{System: p.System}
	for _, m := range p.Sends {
		p.line("\tctx.Send(a%d, %s)", m.To, x.message(m.Type, Expr{Add: m.N}, m.R))
	}
	p.line("}")
}

// births prints how the driver creates the actors.
func (p *printer) births() {
	is := ":="
	if p.SetUp {
		is = "="
		var names []string
		for i := range p.Start {
			names = append(names, fmt.Sprintf("a%d", i))
		}
		p.line("\tvar %s actor.Ref\n\tt.SetUp(func() {", strings.Join(names, ", "))
	}
	x := &texts{System: p.System}
	for i, b := range p.Start {
		p.line("\ta%d %s ctx.Spawn(%s)", i, is, x.birth(b))
	}
	if p.SetUp {
		p.line("\t})")
	}
	for i := range p.Start {
		p.line("\t_ = a%d", i)
	}
}

// Given prints a file for those who execute the system with other messages in the place of the driver's own. Each is
// told by its receiver, its type, its number, and its reference. References are 0 for nobody, 1 for the driver, and the
// index of an actor of the driver plus 2.
func (s *System) Given(pkg string) string {
	p := &printer{System: s}
	p.line("package %s\n\nimport (\n\t\"github.com/rehearse-go/rehearse/actor\"\n\t\"github.com/rehearse-go/rehearse/explore\"\n)\n", pkg)
	p.line("// Given makes the system with these messages.\nfunc Given(sends [][4]int) *actor.System {\n\treturn actor.New(func(t *explore.T, ctx *actor.Context) {")
	p.births()
	p.b.WriteString("\trefs := []actor.Ref{{}, ctx.Self()")
	for i := range s.Start {
		p.b.WriteString(fmt.Sprintf(", a%d", i))
	}
	p.line("}\n\tfor _, m := range sends {\n\tswitch m[1] {")
	for i, ty := range s.Types {
		if ty.Ended {
			continue
		}
		r := ""
		if ty.Ref {
			r = ", R: refs[m[3]]"
		}
		p.line("\tcase %d:\n\tctx.Send(refs[m[0]+2], M%d{N: m[2]%s})", i, i, r)
	}
	p.line("\t}\n\t}\n\t})\n}")
	text, err := format.Source([]byte(p.b.String()))
	if err != nil {
		panic(fmt.Sprintf("toysys: printed what is not Go: %v\n%s", err, p.b.String()))
	}
	return string(text)
}
