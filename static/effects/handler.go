package effects

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// handler is the analysis of what one type of actor does with one type of message.
type handler struct {
	*analysis
	actor *kindOfActor
	msg   types.Type // nil: one that has no case of its own
	inst  *object
	mail  *object
	ctx   *object

	frames  map[string]*frame
	objects map[ssa.Value]*object
	pass    int
	changed bool
	strict  bool // nothing grows any more: what has no reference now is not understood

	mailed  val // the message as the framework hands it over
	unknown string
	reads   map[string]bool
	writes  map[write]bool
	sends   map[sent]int
	spawns  map[string]bool
	other   map[string]bool
	cases   []types.Type // concrete types that the message was compared with
	becomes []val        // behaviours it may change to

	asks, implements, anything bool // the message was compared with an interface; has its methods; the interface has none

	becoming, stops, blocks, shares bool
	stacked                         bool // one of several functions handles the message, of a stack that the actor has
}

// write is a place that may be written, and by what kind of memory.
type write struct {
	path   string
	behind bool
	// the struct, array or slice element, or map, that was written in; the type of what was written if nobody knows
	in types.Type
	of types.Type // what was written
}

type sent struct {
	message string
	at      token.Pos
	reply   bool // to who sent the message that is handled
}

// tooMany frames in one handler end its analysis.
const tooMany = 3000

// run analyses until nothing grows, for all behaviours of the actor.
func (h *handler) run() {
	for h.changed = true; h.changed && h.unknown == ""; {
		h.step()
	}
	h.strict = true
	h.step()
}

func (h *handler) step() {
	h.changed = false
	h.pass++
	for _, b := range h.actor.behaviors {
		if h.unknown == "" {
			h.enter(b)
		}
	}
}

// enter begins where the framework does.
func (h *handler) enter(b *behavior) {
	mail := val{refs: []ref{{obj: h.mail}}, arrives: true, set: true}
	if h.msg != nil {
		mail.dyn = []types.Type{h.msg}
	} else {
		mail.hidden = true
	}
	var args, captured []val
	switch {
	case b.captured != nil:
		captured = b.captured(h)
	case b.function:
		for _, v := range b.fn.FreeVars {
			captured = append(captured, only(ref{obj: h.inst, path: v.Name()}))
		}
	default:
		self := ref{obj: h.inst, path: b.prefix}
		if _, pointer := b.fn.Signature.Recv().Type().Underlying().(*types.Pointer); !pointer {
			h.read(b.prefix)
			self.behind, self.copied = true, true
		}
		args = append(args, only(self))
	}
	if h.actor.framework == facts.Protoactor && h.msg != nil && answersItself(h.msg) {
		h.give(b.fn.Pos(), "its message answers itself")
		return
	}
	args = append(args, only(ref{obj: h.ctx}))
	if len(args) < len(b.fn.Params) {
		args = append(args, mail)
	}
	if len(args) != len(b.fn.Params) {
		h.give(b.fn.Pos(), "it is handled by a function of another kind than the framework calls")
		return
	}
	h.mailed = mail
	h.call(b.fn, args, captured, 0, b.fn.Pos())
}

// give gives up: why is what was not understood.
func (h *handler) give(pos token.Pos, format string, args ...any) {
	if h.unknown == "" {
		h.unknown = fmt.Sprintf(format, args...)
		if at := h.place(pos); at != "" {
			h.unknown += " (" + at + ")"
		}
	}
}

// object gives the one object that a value of the program stands for.
func (h *handler) object(v ssa.Value, k kind) *object {
	o := h.objects[v]
	if o == nil {
		o = &object{kind: k, id: len(h.objects) + 10, holds: map[string]val{}}
		h.objects[v] = o
	}
	return o
}

func (h *handler) read(path string) {
	if path == "" {
		path = facts.WholeState
	}
	h.reads[path] = true
}

func (h *handler) write(w write) {
	if w.path == "" {
		w.path = facts.WholeState
	}
	h.writes[w] = true
}

// load gives what is at the places that a value refers to. Only a type that holds references matters for what comes of
// it.
func (h *handler) load(at token.Pos, from val, t types.Type) val {
	out := val{set: true}
	if _, ok := t.Underlying().(*types.Interface); ok {
		out.hidden = true
	}
	if len(from.refs) == 0 && h.strict {
		h.give(at, "it reads by a reference that nobody knows")
	}
	for _, r := range from.refs {
		switch r.obj.kind {
		case instance:
			h.read(r.path)
			if holdsReferences(t) {
				r.behind, r.copied = true, isWhole(t)
				out.add(only(r))
			}
		case fresh:
			h.within(r, &out, t)
		case message:
			out.add(only(r))
			out.add(r.obj.holds[""].without())
		case fixed:
			out.add(only(r))
		case closure, context:
			h.give(at, "it looks into what the framework gave it")
		}
	}
	return out
}

// within adds what a fresh object may hold at a path.
func (h *handler) within(r ref, out *val, t types.Type) {
	o := r.obj
	if r.path == "" {
		for _, v := range o.holds {
			out.add(v)
		}
	} else {
		out.add(o.holds[r.path])
		out.add(o.holds[""].pieces(r.path, t))
		out.hidden = out.hidden || len(o.holds[""].refs) > 0
	}
	out.arrives = false
}

// store puts a value at the places that another refers to.
func (h *handler) store(at token.Pos, to, v val, in, of types.Type) {
	if len(to.refs) == 0 && h.strict {
		h.give(at, "it writes by a reference that nobody knows")
	}
	for _, r := range to.refs {
		switch r.obj.kind {
		case instance:
			if in != nil && isGiven(in) || r.behind && isGiven(of) {
				h.give(at, "it writes into what stands for an actor, or for the framework")
				return
			}
			h.write(write{r.path, r.behind, in, of})
		case fresh:
			h.put(r.obj, r.path, v)
		case message:
			h.shares = true
			h.put(r.obj, "", v)
		case fixed:
			h.give(at, "it writes to a package variable")
		case closure, context:
			h.give(at, "it writes into what the framework gave it")
		}
	}
}

func (h *handler) put(o *object, path string, v val) {
	old := o.holds[path]
	// An interface that is read again may hold something else.
	old.refs, old.dyn = slices.Clone(old.refs), slices.Clone(old.dyn)
	if v.arrives {
		v.arrives = false
	}
	if old.add(v) {
		o.holds[path] = old
		h.changed = true
	}
}

// exposed reads all that a value leads to.
func (h *handler) exposed(v val) { h.expose(v, map[*object]bool{}) }

func (h *handler) expose(v val, seen map[*object]bool) {
	for _, r := range v.refs {
		if r.obj.kind == instance {
			h.read(r.path)
			continue
		}
		if seen[r.obj] {
			continue
		}
		seen[r.obj] = true
		for _, held := range r.obj.holds {
			h.expose(held, seen)
		}
		for _, c := range r.obj.capture {
			h.expose(c, seen)
		}
	}
}

// scribbled writes all that a value leads to: memory of these types, or of any if there are none.
func (h *handler) scribbled(at token.Pos, v val, in []types.Type, seen map[*object]bool) {
	for _, r := range v.refs {
		switch r.obj.kind {
		case instance:
			h.read(r.path)
			if len(in) == 0 {
				h.write(write{path: r.path, behind: r.behind})
			}
			for _, t := range in {
				h.write(write{path: r.path, behind: r.behind, in: t, of: t})
			}
		case message:
			h.shares = true
		case fixed:
			h.give(at, "it passes a package variable to what may change it")
		case fresh:
			if !seen[r.obj] {
				seen[r.obj] = true
				for _, held := range r.obj.holds {
					h.scribbled(at, held, nil, seen)
				}
			}
		}
	}
}

// fact sums up.
func (h *handler) fact(name string) facts.Handler {
	f := facts.Handler{Actor: h.actor.name, Message: name, At: h.place(h.actor.pos), Unknown: h.unknown}
	if h.unknown != "" {
		return f
	}
	f.Reads = keys(h.reads)
	f.Writes = h.written()
	f.Spawns, f.Other = keys(h.spawns), keys(h.other)
	f.Becomes, f.Stops, f.Blocks, f.Shares = h.becoming, h.stops, h.blocks, h.shares
	for s, n := range h.sends {
		f.Sends = append(f.Sends, facts.Send{Message: s.message, Conditions: n, At: h.place(s.at), Reply: s.reply})
	}
	slices.SortFunc(f.Sends, func(a, b facts.Send) int {
		return strings.Compare(a.Message+" "+a.At, b.Message+" "+b.At)
	})
	return f
}

func keys(m map[string]bool) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}
