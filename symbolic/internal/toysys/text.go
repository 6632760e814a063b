package toysys

import (
	"fmt"
	"strconv"
	"strings"
)

// texts prints the statements of a handler of messages of a type.
type texts struct {
	*System
	typ int
	b   strings.Builder
}

func (t *texts) line(form string, args ...any) { fmt.Fprintf(&t.b, form+"\n", args...) }

func (t *texts) block(list []Stmt) {
	for i := range list {
		t.stmt(&list[i])
	}
}

func (t *texts) stmt(s *Stmt) {
	switch s.Op {
	case Reach:
		t.line("reached(%d)", s.Label)
	case SetInt:
		t.line("k.x%d = %s", s.Field, t.expr(s.N))
	case SetRef:
		t.line("k.r%d = %s", s.Field, t.ref(s.To))
	case If:
		t.line("if %s {", t.cond(s.Cond))
		t.branches(s)
	case Spawn:
		t.line("k.r%d = ctx.Spawn(%s)", s.Field, t.birth(s.Birth))
	case Become:
		t.line("ctx.Become(%s)", t.birth(s.Birth))
	case Call, CallTimeout, Await:
		t.ask(s)
	case Return:
		t.line("return")
	case Index, Divide, Store:
		t.line("try(%d)", s.Label)
		form := map[Op]string{Index: "if use(k.a[%s]) {", Divide: "if use(6 / (%s)) {",
			Store: "k.m[%s] = 1\nif use(0) {"}[s.Op]
		t.line(form+"\nreturn\n}", t.expr(s.N)) // so that a block ends here: what follows is one that is not reached
		t.line("fine(%d)", s.Label)
	case Put, Drop, Total:
		t.entries(s)
	case MakeMap:
		t.line("k.m = map[int]int{}")
	default:
		t.line("%s", t.act(s))
	}
}

// act prints a statement that is a call.
func (t *texts) act(s *Stmt) string {
	if t.Supervised {
		return t.supervised(s)
	}
	switch s.Op {
	case Tell:
		return fmt.Sprintf("ctx.Send(%s, %s)", t.ref(s.To), t.message(s.Type, s.N, s.R))
	case Forward:
		return fmt.Sprintf("ctx.Send(%s, m)", t.ref(s.To))
	case Reply:
		return fmt.Sprintf("ctx.Reply(%s)", t.message(s.Type, s.N, s.R))
	case Unbecome:
		return "ctx.Unbecome()"
	case Stop:
		return "ctx.Stop()"
	case Stash:
		return "ctx.Stash()"
	case Unstash:
		return "ctx.UnstashAll()"
	case StopActor:
		return fmt.Sprintf("ctx.StopActor(%s)", t.ref(s.To))
	case Watch:
		return fmt.Sprintf("ctx.Watch(%s)", t.ref(s.To))
	case After:
		return fmt.Sprintf("k.t = ctx.After(%d*tick, %s)", s.Delay, t.message(s.Type, s.N, s.R))
	case Cancel:
		return "ctx.Cancel(k.t)"
	}
	panic(fmt.Sprintf("toysys: statement %d has no text", s.Op))
}

// branches prints Then and Else behind an opening brace.
func (t *texts) branches(s *Stmt) {
	t.block(s.Then)
	if len(s.Else) > 0 {
		t.line("} else {")
		t.block(s.Else)
	}
	t.line("}")
}

func (t *texts) ask(s *Stmt) {
	msg := t.message(s.Type, s.N, s.R)
	how := fmt.Sprintf("ctx.Call(%s, %s)", t.ref(s.To), msg)
	switch s.Op {
	case CallTimeout:
		how = fmt.Sprintf("ctx.CallTimeout(%s, %s, %d*tick)", t.ref(s.To), msg, s.Delay)
	case Await:
		how = fmt.Sprintf("ctx.Await(ctx.Ask(%s, %s))", t.ref(s.To), msg)
	}
	t.line("got%d, _ := %s", s.Var, how)
	name := "_"
	if uses(s.Then, s.Var) {
		name = fmt.Sprintf("v%d", s.Var)
	}
	t.line("if %s, ok := got%d.(M%d); ok {", name, s.Var, s.Want)
	t.branches(s)
}

// uses reports whether the variable of an answer occurs.
func uses(list []Stmt, v int) bool {
	found := false
	eachOf(list, func(s *Stmt) {
		exprs := append([]Expr{s.N, s.Cond.L, s.Cond.R}, s.Birth.Ints...)
		for _, e := range exprs {
			for _, x := range e.Terms {
				found = found || x.Base == Answer && x.I == v
			}
		}
	})
	return found
}

func (t *texts) message(ty int, n Expr, r Ref) string {
	s := fmt.Sprintf("M%d{N: %s", ty, t.expr(n))
	if t.Types[ty].Ref && r.Base != Nobody {
		s += ", R: " + t.ref(r)
	}
	return s + "}"
}

func (t *texts) birth(b Birth) string {
	if t.Supervised {
		return t.props(b)
	}
	var parts []string
	for i, e := range b.Ints {
		parts = append(parts, fmt.Sprintf("x%d: %s", i, t.expr(e)))
	}
	for i, r := range b.Refs {
		if r.Base != Nobody {
			parts = append(parts, fmt.Sprintf("r%d: %s", i, t.ref(r)))
		}
	}
	if t.Kinds[b.Kind].Func {
		return fmt.Sprintf("newK%d(K%d{%s})", b.Kind, b.Kind, strings.Join(parts, ", "))
	}
	return fmt.Sprintf("&K%d{%s}", b.Kind, strings.Join(parts, ", "))
}

func (t *texts) expr(e Expr) string {
	var b strings.Builder
	for i, x := range e.Terms {
		if x.Neg {
			b.WriteString("-")
		} else if i > 0 {
			b.WriteString("+")
		}
		switch x.Base {
		case Field:
			fmt.Fprintf(&b, "k.x%d", x.I)
		case Number:
			if ty := t.Types[t.typ]; ty.Guard {
				b.WriteString("m.N")
			} else {
				fmt.Fprintf(&b, "(m.N & %d)", ty.Mask)
			}
		case Answer:
			fmt.Fprintf(&b, "(v%d.N & 3)", x.I)
		}
	}
	switch {
	case len(e.Terms) == 0:
		return strconv.Itoa(e.Add)
	case e.Add > 0:
		fmt.Fprintf(&b, "+%d", e.Add)
	case e.Add < 0:
		fmt.Fprintf(&b, "%d", e.Add)
	}
	return b.String()
}

func (t *texts) ref(r Ref) string {
	switch r.Base {
	case Self:
		return "ctx.Self()"
	case Sender:
		return "ctx.Sender()"
	case OfMessage:
		if t.Types[t.typ].Ended {
			return "m.Who"
		}
		return "m.R"
	case OfField:
		return fmt.Sprintf("k.r%d", r.I)
	case OfStart:
		return fmt.Sprintf("a%d", r.I)
	case OfDriver:
		return "ctx.Self()"
	}
	if t.Supervised {
		return "nil"
	}
	return "actor.Ref{}"
}

func (t *texts) cond(c Cond) string {
	if c.Refs {
		a, b := t.ref(c.A), t.ref(c.B)
		if strings.HasSuffix(b, "}") {
			b = "(" + b + ")"
		}
		return fmt.Sprintf("%s %s %s", a, c.Op, b)
	}
	return fmt.Sprintf("%s %s %s", t.expr(c.L), c.Op, t.expr(c.R))
}
