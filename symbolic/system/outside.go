package system

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has the messages that come from outside in a search: how many there may be, and what they hold.

// more is how many shapes there are for one more message from outside.
//
// Once time has passed there are none: what could be handled before need not come later. That is not so for what an
// actor refuses at first, which is noted.
func (f *searcher) more() int {
	if len(f.outside) >= f.bounds.Outside || f.bounds.Sent {
		return 0
	}
	if f.w.advances > 0 && !(f.w.async && f.w.driver.Proto) { // there time may pass while these wait to be sent
		f.w.marked = f.w.marked || len(f.shapes) > 0 && slices.ContainsFunc(f.w.actors[1:], f.w.refuses)
		return 0
	}
	return len(f.shapes)
}

// sends sends a message from outside. Its variables are named after its shape: so two runs may come to one state that
// send to different actors in different orders.
func (f *searcher) sends(shape Shape) int32 {
	w := f.w
	nth := 1
	for _, o := range f.outside {
		if o.To == shape.To && types.Identical(o.Type, shape.Type) {
			nth++
		}
	}
	v := f.made(shape)
	if v == nil {
		v = w.m.There(fmt.Sprintf("out%d.%d.%d", shape.To+1, slices.Index(f.shapes, shape)+1, nth), shape.Type)
	}
	flat := w.m.Flatten("msg", v)
	w.known(flat)
	if f.bounds.Assume != nil {
		f.assumed(f.bounds.Assume.Assumed(shape.Type), flat)
	}
	f.outside = append(f.outside, External{shape.To, shape.Type, v, flat})
	p := posted{to: int32(shape.To) + 1, sender: w.m.Known(0)}
	p.Type, p.Msg = shape.Type, exec.Face{Type: shape.Type, Val: v}
	m := w.posts(p)
	f.sent = append(f.sent, m)
	return m
}

// assumed has conditions hold of a message from outside. The run ends where they cannot.
func (f *searcher) assumed(conds []*term.Term, flat []exec.Named) {
	names := map[string]*term.Term{}
	for _, n := range flat {
		names[n.Name] = n.Term
	}
	s := f.w.store.SubstNames(names)
	for _, c := range conds {
		if !f.w.m.Require(s.Apply(c)) {
			f.w.m.End(notAssumed)
		}
	}
}

// outsider sends a message from outside in the event of the driver.
func (f *searcher) outsider(shape Shape) {
	event := f.w.event
	f.w.event = int32(f.w.tr.Explored)
	f.sends(shape)
	f.w.event = event
}
