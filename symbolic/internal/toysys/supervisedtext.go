package toysys

import (
	"fmt"
	"go/format"
	"strings"
)

// This file prints systems of protoactor-go.

// SupervisedSource prints the system as a package of actors of protoactor-go. Its function System gives the system,
// with the driver's own messages, and Given one with other messages: each is told by its receiver, its type and its
// number. What is called reached, try, fine, use, begin, builds, begins and restarted is not part of it: see Marker and
// SupervisedMarker.
func (s *System) SupervisedSource(pkg string) string {
	p := &printer{System: s}
	p.line("// Package %s is a random system, made of seed %d.\npackage %s\n", pkg, s.Seed, pkg)
	p.line("import (\n\t\"time\"\n\n\t\"github.com/asynkron/protoactor-go/actor\"\n\n\t\"github.com/rehearse-go/rehearse/adapter\"\n" +
		"\t\"github.com/rehearse-go/rehearse/adapter/protoactor\"\n\t\"github.com/rehearse-go/rehearse/explore\"\n)\n")
	p.line("const tick = time.Second\n")
	for i := range s.own() {
		p.line("type M%d struct{ N int }\n", i)
	}
	for k := range s.Kinds {
		p.supervisedKind(k)
	}
	p.supervisedDriver()
	text, err := format.Source([]byte(p.b.String()))
	if err != nil {
		panic(fmt.Sprintf("toysys: printed what is not Go: %v\n%s", err, p.b.String()))
	}
	return string(text)
}

// ReadMarker is the source of what is not part of a system, for those who read it.
func ReadMarker(pkg string, labels int) string {
	return Marker(pkg, labels) + "\nfunc begin(any) bool { return true }\n\nfunc builds() {}\n\nfunc begins() {}\n\nfunc restarted() {}\n"
}

// SupervisedMarker is the same for those who execute it. Reached has for each place the fewest handlers that were run
// until then, 0 where it was not reached; Behind only counts where an actor was restarted before. What is handled
// behind Limit messages has no effect: then Over is true. Messages of the framework do not count, but that nothing has
// come for some time does.
func (s *System) SupervisedMarker(pkg string) string {
	var names []string
	for i := range s.own() {
		names = append(names, fmt.Sprintf("M%d", i))
	}
	return fmt.Sprintf("package %s\n\nimport \"github.com/asynkron/protoactor-go/actor\"\n", pkg) + strings.NewReplacer("LABELS", fmt.Sprint(s.Labels), "TYPES", strings.Join(names, ", ")).Replace(`
var (
	Reached, Behind [LABELS]int
	Limit           int
	runs            int
	ready           bool // set-up is over, which does not count
	fell            bool
	before          [2]int // what was known of a place that is tried
)

// builds is called before the actors are made.
func builds() { ready = false }

// begins is called before messages come from outside.
func begins() { runs, fell, ready = 0, false, true }

// Over reports whether nothing has an effect any more.
func Over() bool { return runs > Limit }

func begin(msg any) bool {
	if !ready {
		return true
	}
	switch msg.(type) {
	case TYPES, *actor.ReceiveTimeout:
		runs++
		return runs <= Limit
	}
	return true
}

func restarted() { fell = true }

func note(list *[LABELS]int, n int) {
	if most := max(runs, 1); ready && runs <= Limit && (list[n] == 0 || list[n] > most) {
		list[n] = most
	}
}

func reached(n int) {
	if note(&Reached, n); fell {
		note(&Behind, n)
	}
}

func try(n int) {
	before = [2]int{Reached[n], Behind[n]}
	reached(n)
}

func use(int) bool { return false }

func fine(n int) { Reached[n], Behind[n] = before[0], before[1] }
`)
}

// fields gives the names and types of what an actor of a kind holds.
func (k *Kind) fields() (list []string) {
	for i := range k.Ints {
		list = append(list, fmt.Sprintf("x%d int", i))
	}
	for i := range k.Refs {
		list = append(list, fmt.Sprintf("r%d *actor.PID", i))
	}
	return list
}

// supervisedKind prints a kind: a new instance begins with what the first one has begun with.
func (p *printer) supervisedKind(k int) {
	kind := &p.Kinds[k]
	var sets []string
	for _, f := range kind.fields() {
		name, _, _ := strings.Cut(f, " ")
		sets = append(sets, name+": "+name)
	}
	p.line("type K%d struct {\n%s%s\n}\n", k, strings.Join(kind.fields(), "\n"), kind.panicking())
	p.line("func newK%d(%s) *actor.Props {\n\treturn actor.PropsFromProducer(func() actor.Actor { return &K%d{%s} })\n}\n",
		k, strings.Join(kind.fields(), ", "), k, strings.Join(sets, ", "))
	p.line("func (k *K%d) Receive(ctx actor.Context) {\n\tif !begin(ctx.Message()) {\n\t\treturn\n\t}", k)
	var cases strings.Builder
	for ty, h := range kind.Handlers {
		body := ""
		if h != nil {
			body = p.handler(ty, h)
		}
		if p.Types[ty].Life == "Restarting" {
			body = "restarted()\n" + body
		}
		if body != "" {
			fmt.Fprintf(&cases, "\tcase %s:\n%s", p.typeName(ty), body)
		}
	}
	m := ""
	if strings.Contains(cases.String(), "m.N") {
		m = "m := "
	}
	p.line("\tswitch %sctx.Message().(type) {\n%s\t}\n}\n", m, cases.String())
}

// supervisedDriver prints the driver, with its own messages and with others.
func (p *printer) supervisedDriver() {
	x := &texts{System: p.System}
	p.line("// System makes the system.\nfunc System() *adapter.System { return protoactor.System(Driver) }\n")
	p.line("// Driver creates the actors and sends.\nfunc Driver(t *explore.T) {")
	p.supervisedBirths(x)
	for _, m := range p.Sends {
		p.line("\troot.Send(a%d, %s)", m.To, x.message(m.Type, Expr{Add: m.N}, Ref{}))
	}
	p.line("}\n\n// Given makes the system with these messages.\nfunc Given(sends [][4]int) *adapter.System {\n\treturn protoactor.System(func(t *explore.T) {\n\tbuilds()")
	p.supervisedBirths(x)
	p.b.WriteString("\tto := []*actor.PID{")
	for i := range p.Start {
		p.b.WriteString(fmt.Sprintf("a%d, ", i))
	}
	p.line("}\n\tbegins()\n\tfor _, m := range sends {\n\tswitch m[1] {")
	for i := range p.own() {
		p.line("\tcase %d:\n\troot.Send(to[m[0]], M%d{N: m[2]})", i, i)
	}
	p.line("\t}\n\t}\n\t})\n}")
}

// supervisedBirths prints how the driver creates the actors.
func (p *printer) supervisedBirths(x *texts) {
	p.line("\troot := protoactor.NewActorSystem().Root")
	if p.SetUp {
		for i := range p.Start {
			p.line("\tvar a%d *actor.PID", i)
		}
		p.line("\tt.SetUp(func() {")
	}
	is := map[bool]string{false: ":=", true: "="}[p.SetUp]
	for i, b := range p.Start {
		p.line("\ta%d %s root.Spawn(%s)", i, is, x.birth(b))
	}
	if p.SetUp {
		p.line("\t})")
	}
	for i := range p.Start {
		p.line("\t_ = a%d", i)
	}
}

// props prints how an actor is made.
func (t *texts) props(b Birth) string {
	var list []string
	for _, e := range b.Ints {
		list = append(list, t.expr(e))
	}
	for _, r := range b.Refs {
		list = append(list, t.ref(r))
	}
	return fmt.Sprintf("newK%d(%s)", b.Kind, strings.Join(list, ", "))
}

// supervised prints a statement that is a call of protoactor-go. Nobody is sent nothing.
func (t *texts) supervised(s *Stmt) string {
	form := ""
	switch s.Op {
	case Tell: // half of the messages say who has sent them; those that nobody gets are answered
		how := map[bool]string{true: "Request", false: "Send"}[s.Type == 0]
		form = fmt.Sprintf("ctx.%s(%%s, %s)", how, t.message(s.Type, s.N, Ref{}))
	case Forward:
		form = "ctx.Forward(%s)"
	case StopActor:
		form = "ctx.Stop(%s)"
	case Watch:
		form = "ctx.Watch(%s)"
	case Reply:
		return fmt.Sprintf("ctx.Respond(%s)", t.message(s.Type, s.N, Ref{}))
	case Stop:
		return "ctx.Stop(ctx.Self())"
	case After:
		return fmt.Sprintf("ctx.SetReceiveTimeout(%d * tick)", s.Delay)
	case Cancel:
		return "ctx.CancelReceiveTimeout()"
	default:
		panic(fmt.Sprintf("toysys: statement %d has no text for protoactor-go", s.Op))
	}
	if s.To.Base == Self {
		return fmt.Sprintf(form, "ctx.Self()")
	}
	return fmt.Sprintf("if p := %s; p != nil {\n\t"+form+"\n}", t.ref(s.To), "p")
}
