package effects

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file follows changes of behaviour: what an actor may become handles its messages too.

// learn adds the behaviours that a handler changes to.
func (h *handler) learn() {
	for _, v := range h.becomes {
		if !v.hidden && len(v.dyn) == 0 && len(v.refs) > 0 { // a function as it is, behind no interface
			h.learnFunction(v)
			continue
		}
		if v.hidden || len(v.dyn) == 0 {
			h.actor.lose("it changes to a behaviour that is not known")
			return
		}
		for _, t := range v.dyn {
			if isFunc(t) {
				h.learnFunction(v)
				continue
			}
			fn := h.method(t, "Receive")
			if fn == nil || fn.Blocks == nil {
				h.actor.lose("it changes to a behaviour whose source was not read")
				continue
			}
			prefix := "become " + model.TypeName(t)
			for _, r := range v.refs {
				if r.obj.kind == instance {
					prefix = r.path // the actor itself, or a part of it
				}
			}
			h.actor.learn(&behavior{fn: fn, prefix: prefix})
		}
	}
}

// learnFunction adds functions, such as methods of the actor as values.
func (h *handler) learnFunction(v val) {
	for _, r := range v.refs {
		if r.obj.kind != closure || r.obj.fn.Blocks == nil {
			h.actor.lose("it changes to a function that is not known")
			return
		}
		o := r.obj
		h.actor.learn(&behavior{fn: o.fn, function: true, captured: func(now *handler) []val {
			return now.captured(o.fn, o.capture)
		}})
	}
}

// captured is what a function captures that an earlier handler made: parts of the actor are what they were, all else is
// the function's own.
func (h *handler) captured(fn *ssa.Function, capture []val) []val {
	var list []val
	for i, v := range capture {
		out := val{set: true, hidden: v.hidden, dyn: v.dyn}
		for _, r := range v.refs {
			if r.obj.kind == instance {
				out.add(only(ref{obj: h.inst, path: r.path, behind: r.behind}))
				continue
			}
			out.add(only(ref{obj: h.inst, path: "become " + model.FunctionName(fn) + " " + fn.FreeVars[i].Name(),
				behind: r.behind}))
		}
		list = append(list, out)
	}
	return list
}

func (x *kindOfActor) learn(b *behavior) {
	for _, known := range x.behaviors {
		if known.fn == b.fn && known.prefix == b.prefix {
			return
		}
	}
	x.behaviors = append(x.behaviors, b)
}

func (x *kindOfActor) lose(why string) {
	if x.lost == "" {
		x.lost = why
	}
}

// join adds what another handler does.
func (h *handler) join(o *handler) {
	if h.unknown == "" {
		h.unknown = o.unknown
	}
	maps.Copy(h.reads, o.reads)
	maps.Copy(h.writes, o.writes)
	maps.Copy(h.spawns, o.spawns)
	maps.Copy(h.other, o.other)
	for s, n := range o.sends {
		if old, ok := h.sends[s]; !ok || n < old {
			h.sends[s] = n
		}
	}
	h.becomes = slices.Concat(h.becomes, o.becomes)
	h.becoming, h.stops = h.becoming || o.becoming, h.stops || o.stops
	h.blocks, h.shares = h.blocks || o.blocks, h.shares || o.shares
}
