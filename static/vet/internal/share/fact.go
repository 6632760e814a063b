package share

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// What a fact has at most of each: who imports a package at any distance reads what it tells of methods. Packages
// without actors are mostly large ones that are of no use to actors' memory, such as generated encoders.
const (
	mostTold     = 48
	mostToldElse = 12
	nesting      = 3 // how deep functions in functions are told
)

// imported gives what a function of another package does; nil if nothing is known of it.
func (w *World) imported(f *types.Func) *Effects {
	known, ok := w.facts[f]
	if !ok && f.Pkg() != w.pkg {
		if e := new(Effects); w.fact(f, e) {
			known = e.markEscaped()
		}
		w.facts[f] = known
	}
	return known
}

// markEscaped marks what was made as known to callers, as a fact has nothing else. What is marked is not written again:
// other packages may be reading it.
func (e *Effects) markEscaped() *Effects {
	for i := range e.Made {
		if !e.Made[i].escapes {
			e.Made[i].escapes = true
		}
		if inner := e.Made[i].Func; inner != nil {
			inner.markEscaped()
		}
	}
	return e
}

// export makes facts of what functions, methods of interfaces and actors do.
func (w *World) export(pass *analysis.Pass) {
	for _, f := range w.Code.Funcs {
		if obj, ok := f.Object().(*types.Func); ok && obj.Exported() && w.Bodies[f] != nil {
			if e := w.Bodies[f].portable(nesting); e != nil {
				pass.ExportObjectFact(obj, e.markEscaped())
			}
		}
	}
	scope := w.pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		t, ok := tn.Type().(*types.Named)
		if !ok {
			continue
		}
		if iface, ok := t.Underlying().(*types.Interface); ok {
			w.exportInterface(pass, iface)
		} else if a := w.actor(t); a != nil {
			pass.ExportObjectFact(tn, brief(a))
		}
	}
}

// exportInterface tells of each method of an interface what those of the types do that this package puts behind it.
func (w *World) exportInterface(pass *analysis.Pass, iface *types.Interface) {
	for m := range iface.ExplicitMethods() {
		if !m.Exported() || m.Pkg() != w.pkg { // one type can have the methods of another package's
			continue
		}
		all := &Effects{}
		for _, f := range frame.Implementations(w.Code.Pkg.Prog, iface, m, w.impls) {
			if b := w.Bodies[f.Fn]; b != nil && f.Path == "" {
				if e := b.portable(nesting); e != nil {
					all.join(e)
				}
			}
		}
		if !all.empty() {
			pass.ExportObjectFact(m, all.markEscaped())
		}
	}
}

// dull reports whether a function only looks, and gives nothing but new memory. Packages without actors do not tell of
// methods that do. There are many, whoever imports a package at any distance gets the facts about methods, and of
// unknown functions it is assumed.
func (e *Effects) dull() bool {
	given := slices.ContainsFunc(e.Results, func(r set) bool {
		return slices.ContainsFunc(r, func(p Place) bool {
			return p.Root.Kind != Made || e.Made[p.Root.N].Func != nil || e.Made[p.Root.N].Actor != nil
		})
	})
	return len(e.Writes) == 0 && len(e.Edges) == 0 && len(e.Events) == 0 && !given
}

func (e *Effects) empty() bool {
	return len(e.Writes) == 0 && len(e.Reads) == 0 && len(e.Edges) == 0 && len(e.Events) == 0 && len(e.Results) == 0
}

// portable gives a function's effects in a form that other packages can read; nil if there are none.
func (b *Body) portable(deep int) *Effects {
	t := teller{from: b, number: map[int]int{}, most: mostToldElse}
	if b.w.most == most {
		t.most = mostTold
	}
	for i, m := range b.Made {
		if m.escapes && len(t.out.Made) < t.most {
			t.number[i] = len(t.out.Made)
			t.out.Made = append(t.out.Made, Memory{})
		}
	}
	for i, n := range t.number {
		t.out.Made[n] = b.describeMade(b.Made[i], deep)
	}
	t.effects()
	if t.out.empty() || b.w.most == mostElse && b.Fn.Signature.Recv() != nil && t.out.dull() {
		return nil
	}
	return &t.out
}

// describeMade tells what made memory is.
func (b *Body) describeMade(m Memory, deep int) Memory {
	out := Memory{Func: m.Func, Bound: m.Bound, Takes: m.Takes, Gives: m.Gives, Actor: m.Actor}
	if m.fn != nil && out.Func == nil && deep > 0 {
		if body := b.w.Bodies[m.fn]; body != nil {
			out.Func = body.portable(deep - 1)
		} else if obj, ok := m.fn.Object().(*types.Func); ok {
			out.Func = b.w.imported(obj.Origin())
		}
	}
	if m.typ != nil {
		if a := b.w.actor(m.typ); a != nil {
			out.Actor = brief(a)
		}
	}
	return out
}

func brief(a *Actor) *Actor {
	return &Actor{a.Writes[:min(mostTold, len(a.Writes))], a.Reads[:min(mostTold, len(a.Reads))]}
}

// teller renumbers what was made, without what callers never get.
type teller struct {
	from   *Body
	out    Effects
	number map[int]int
	most   int
}

// place renumbers; ok is false for memory that callers do not get.
func (t *teller) place(p Place) (Place, bool) {
	if p.Root.Kind == Made {
		n, ok := t.number[p.Root.N]
		p.Root.N = n
		return p, ok
	}
	return p, true
}

func (t *teller) places(ps []Place) set {
	var out set
	for _, p := range ps {
		if q, ok := t.place(p); ok {
			out = out.with(q)
		}
	}
	return out
}

func (t *teller) accesses(all []Access) []Access {
	var out []Access
	for _, a := range all {
		if p, ok := t.place(a.Place); ok && len(out) < t.most {
			a.Place = p
			out = append(out, a)
		}
	}
	return out
}

// effects tells what others can notice: neither what is done to memory that was made meanwhile, nor to copies of
// arguments.
func (t *teller) effects() {
	for _, w := range t.from.Writes {
		if p, ok := t.place(w.Place); ok && notable(p) && len(t.out.Writes) < t.most {
			w.Place = p
			if slices.ContainsFunc(t.out.Writes, func(o Write) bool { return o.Place == p && o.Weak == w.Weak }) {
				continue // where else does not matter
			}
			t.out.Writes = append(t.out.Writes, Write{Access: w.Access, Weak: w.Weak})
		}
	}
	for _, r := range t.from.Reads {
		if (r.Deep || notable(r.Place)) && len(t.out.Reads) < t.most {
			t.out.Reads = append(t.out.Reads, r)
		}
	}
	for _, e := range t.from.Edges {
		to, ok1 := t.place(e.To)
		val, ok2 := t.place(e.Val)
		if ok1 && ok2 && len(t.out.Edges) < t.most {
			t.out.Edges = append(t.out.Edges, Edge{To: to, Val: val})
		}
	}
	for _, e := range t.from.Events {
		if len(t.out.Events) == t.most/4 {
			break
		}
		by := e.By
		if by == "" {
			by = t.from.w.pkg.Name() + "." + frame.Name(t.from.Fn)
		}
		t.out.Events = append(t.out.Events,
			Event{Op: e.Op, Vals: t.places(e.Vals), TypeName: e.TypeName, Copies: e.Copies, Known: e.Known, By: by,
				Cleared: t.places(e.Cleared), Actor: Actor{t.accesses(e.Actor.Writes), t.accesses(e.Actor.Reads)}})
	}
	for _, r := range t.from.Results {
		t.out.Results = append(t.out.Results, t.places(r))
	}
}

// notable reports whether callers can see an access to a location.
func notable(p Place) bool {
	switch p.Root.Kind {
	case Param, Free:
		return len(p.Path) > 0
	case Made:
		return false
	}
	return true
}

// join adds the effects of another method, for a call that may run either.
func (e *Effects) join(o *Effects) {
	base := len(e.Made)
	if base+len(o.Made) > mostTold || len(e.Writes)+len(o.Writes) > 4*mostTold {
		return // an interface that everything implements
	}
	moved := func(p Place) Place {
		if p.Root.Kind == Made {
			p.Root.N += base
		}
		return p
	}
	all := func(as []Access) []Access {
		var out []Access
		for _, a := range as {
			a.Place = moved(a.Place)
			out = append(out, a)
		}
		return out
	}
	sets := func(s set) set {
		var out set
		for _, p := range s {
			out = out.with(moved(p))
		}
		return out
	}
	e.Made = append(e.Made, o.Made...)
	for _, w := range o.Writes {
		w.Place = moved(w.Place)
		e.Writes = append(e.Writes, w)
	}
	e.Reads = append(e.Reads, all(o.Reads)...)
	for _, x := range o.Edges {
		e.Edges = append(e.Edges, Edge{To: moved(x.To), Val: moved(x.Val)})
	}
	for _, x := range o.Events {
		x.Vals, x.Cleared, x.Actor = sets(x.Vals), sets(x.Cleared), Actor{all(x.Actor.Writes), all(x.Actor.Reads)}
		e.Events = append(e.Events, x)
	}
	for i, r := range o.Results {
		for len(e.Results) <= i {
			e.Results = append(e.Results, nil)
		}
		e.Results[i] = e.Results[i].with(sets(r)...)
	}
}
