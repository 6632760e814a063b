package toysys

// Hooked makes a system of a seed in which actors have start hooks, be they created by handlers or by the driver.
// Hooks of the former may create actors, too. There is no set-up, since it would handle the messages of hooks.
func Hooked(seed uint64) *System {
	d := draw(seed)
	first := len(d.s.Kinds)
	d.hooked()
	d.hooked()
	for d.kind = range d.s.Kinds {
		k := &d.s.Kinds[d.kind]
		switch {
		case d.kind > first && d.one(2): // of a kind before, so that there is no circle
			k.Hook = append(k.Hook, Stmt{Op: Spawn, Field: d.IntN(k.Refs), Birth: d.childOf(first)})
		case d.kind < len(d.s.Start) && d.kind < first && !k.Func && k.Hook == nil && d.one(2):
			k.Hook = d.prompt()
		}
	}
	d.s.SetUp = false
	return d.s
}

// prompt draws the start hook of an actor of the driver. It sets no timer, since the twin knows none of the driver's
// step.
func (d *drawer) prompt() (list []Stmt) {
	for _, s := range d.hookOf() {
		if s.Op != After {
			list = append(list, s)
		}
	}
	return list
}

// childOf draws what a hook gives to a new actor of a kind.
func (d *drawer) childOf(kind int) Birth {
	b := Birth{Kind: kind}
	for range d.s.Kinds[kind].Ints {
		b.Ints = append(b.Ints, Expr{Terms: []Term{{Base: Field, I: d.IntN(d.s.Kinds[d.kind].Ints)}}, Add: d.IntN(3) - 1})
	}
	for range d.s.Kinds[kind].Refs {
		r := Ref{Base: Self}
		if d.one(2) {
			r = Ref{Base: OfField, I: d.IntN(d.s.Kinds[d.kind].Refs)}
		}
		b.Refs = append(b.Refs, r)
	}
	return b
}
