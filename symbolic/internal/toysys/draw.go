package toysys

// stmt draws a statement.
func (d *drawer) stmt(depth int) Stmt {
	op := d.op(depth)
	if (op == Call || op == CallTimeout || op == Await) && depth == 0 {
		op = Tell
	}
	return d.of(op, depth)
}

func (d *drawer) op(depth int) Op {
	n := d.IntN(20)
	switch {
	case d.relays && n < 9 && depth > 0 && d.kind == 0:
		return If
	case d.relays && n < 15 && d.kind == 0:
		return SetInt
	case d.relays && n < 12:
		return []Op{Tell, Tell, Tell, Forward}[d.IntN(4)]
	case n < 6 && depth > 0:
		return If
	case n < 10:
		return []Op{SetInt, Tell}[d.IntN(2)]
	case n < 19:
		return d.focus[d.IntN(2)]
	}
	return d.menu[d.IntN(len(d.menu))]
}

func (d *drawer) of(op Op, depth int) Stmt {
	kind := &d.s.Kinds[d.kind]
	s := Stmt{Op: op}
	switch op {
	case SetInt:
		s.Field, s.N = d.IntN(kind.Ints), d.expr()
	case SetRef:
		s.Field, s.To = d.IntN(kind.Refs), d.ref()
	case If:
		s.Cond, s.Then = d.cond(), d.block(depth-1)
		if d.one(2) {
			s.Else = d.block(depth - 1)
		}
	case Tell, Reply, After:
		s.To, s.Type, s.N, s.R, s.Delay = d.ref(), d.later(), d.expr(), d.ref(), 1+d.IntN(2)
		if op == Tell && s.To == (Ref{}) {
			s.To = Ref{Base: Sender}
		}
	case Forward, StopActor, Watch:
		s.To = d.peer()
	case Spawn, Become:
		s.Field, s.Birth = d.IntN(kind.Refs), d.birth()
		if op == Become && d.one(4) {
			s = Stmt{Op: Unbecome}
		}
	case Call, CallTimeout, Await:
		d.ask(&s, depth)
	}
	return s
}

// ask draws a request and what is done with the answer.
func (d *drawer) ask(s *Stmt, depth int) {
	s.To, s.Type, s.N, s.R, s.Delay = d.peer(), d.later(), d.expr(), d.ref(), 1+d.IntN(2)
	s.Want, s.Var = d.IntN(d.s.own()), d.next
	d.next++
	known := d.vars
	d.vars = append(known[:len(known):len(known)], s.Var)
	s.Then = d.block(depth - 1)
	d.vars = known
	if d.one(2) {
		s.Else = d.block(depth - 1)
	}
}

// later draws a message type, mostly one above that of the message that is handled: so most systems end.
func (d *drawer) later() int {
	n := d.s.own()
	if above := n - 1 - d.typ; above > 0 && !d.one(6) {
		return d.typ + 1 + d.IntN(above)
	}
	if d.typ == n-1 && !d.one(4) {
		return n - 1
	}
	return d.IntN(n)
}

// expr draws a sum of at most two summands.
func (d *drawer) expr() Expr {
	e := Expr{Add: d.IntN(5) - 1}
	if d.one(5) {
		return e
	}
	e.Terms = []Term{d.term()}
	if d.one(3) {
		x := d.term()
		x.Neg = d.one(3)
		e.Terms = append(e.Terms, x)
	}
	if !d.one(3) {
		e.Add = d.IntN(3) - 1
	}
	return e
}

func (d *drawer) term() Term {
	switch n := d.IntN(6); {
	case n < 2 && d.typ < d.s.own():
		return Term{Base: Number}
	case n == 2 && len(d.vars) > 0:
		return Term{Base: Answer, I: d.vars[d.IntN(len(d.vars))]}
	}
	return Term{Base: Field, I: d.IntN(d.s.Kinds[d.kind].Ints)}
}

func (d *drawer) cond() Cond {
	if a, b := d.peer(), d.peer(); a != b && d.one(3) {
		return Cond{Refs: true, Op: []string{"==", "!="}[d.IntN(2)], A: a, B: b}
	}
	c := Cond{Op: []string{"==", "==", "!=", "<", ">", ">="}[d.IntN(6)], L: Expr{Terms: []Term{d.term()}},
		R: Expr{Add: d.IntN(4)}}
	if d.relays && !d.one(3) {
		c.L = Expr{Terms: []Term{{Base: Field, I: d.IntN(d.s.Kinds[d.kind].Ints)}}}
		return c
	}
	if d.one(4) {
		c.R = Expr{Terms: []Term{d.term()}, Add: d.IntN(3) - 1}
	}
	return c
}

// peer draws a reference to somebody.
func (d *drawer) peer() Ref {
	if d.relays && !d.one(3) {
		return Ref{Base: OfField, I: d.IntN(d.s.Kinds[d.kind].Refs)}
	}
	switch n := d.IntN(8); {
	case n == 0:
		return Ref{Base: Self}
	case n == 1:
		return Ref{Base: Sender}
	case n < 5 && d.s.Types[d.typ].Ref:
		return Ref{Base: OfMessage}
	}
	return Ref{Base: OfField, I: d.IntN(d.s.Kinds[d.kind].Refs)}
}

// ref draws a reference, which may be nobody.
func (d *drawer) ref() Ref {
	if d.one(12) {
		return Ref{}
	}
	return d.peer()
}

func (d *drawer) birth() Birth {
	b := Birth{Kind: d.IntN(len(d.s.Kinds))}
	for range d.s.Kinds[b.Kind].Ints {
		b.Ints = append(b.Ints, d.expr())
	}
	for range d.s.Kinds[b.Kind].Refs {
		b.Refs = append(b.Refs, d.ref())
	}
	return b
}
