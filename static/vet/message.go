package vet

import (
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
	"github.com/rehearse-go/rehearse/static/vet/internal/share"
)

// Message reports memory that a message carries and that sender or receiver changes. Sharing what nobody changes is no
// finding.
var Message = check("message",
	"report messages whose memory the sender changes after sending, or the receiver changes: both have it at once",
	func(pass *analysis.Pass, tell report) error {
		w := pass.ResultOf[share.Analyzer].(*share.World)
		for _, b := range w.All {
			for _, e := range b.Events {
				if e.Op == frame.Send {
					sent(pass, b, e, tell)
				}
			}
		}
		for _, h := range w.Handlers() {
			b := w.Bodies[h.Fn]
			for _, e := range b.Events {
				if e.Op == frame.Send && !e.Copies {
					keeps(pass, w, h, b, e, tell)
				}
			}
			if !h.Copied {
				received(pass, w, h, b, tell)
			}
		}
		return nil
	}, share.Analyzer)

// sent judges a message where it is sent: by what its type is, and by what the sender does next.
func sent(pass *analysis.Pass, b *share.Body, e share.Event, tell report) {
	if e.Copies {
		if part := uncopied(e.Type, nil); part != "" {
			tell(e.Pos, "a message of type %s carries a %s, which cannot be copied; send a value, or a Ref to answer to",
				name(pass, e), part)
		}
		return
	}
	if w, ok := b.ChangedAfter(e); ok {
		tell(e.Pos, "what this message of type %s refers to is changed after it was sent (%s); send a copy, or make a new one instead of changing it",
			name(pass, e), near(pass, e.Pos, w.Where))
	}
}

// uncopied names the part of a message that a framework which copies cannot copy.
func uncopied(t types.Type, seen []types.Type) string {
	if t == nil {
		return "" // another package sends it, and is told
	}
	for _, s := range seen {
		if types.Identical(s, t) {
			return ""
		}
	}
	if n := frame.Named(t); n != nil && frame.Immutable(n) {
		return ""
	}
	seen = append(seen, t)
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return "channel"
	case *types.Signature:
		return "function"
	case *types.Pointer:
		return uncopied(u.Elem(), seen)
	case *types.Slice:
		return uncopied(u.Elem(), seen)
	case *types.Array:
		return uncopied(u.Elem(), seen)
	case *types.Map:
		return uncopied(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if part := uncopied(f.Type(), seen); part != "" {
				return part
			}
		}
	}
	return ""
}

// keeps reports a message with memory that stays in the actor's state, where a handler changes it.
func keeps(pass *analysis.Pass, w *share.World, h frame.Handler, b *share.Body, e share.Event, tell report) {
	for _, p := range b.Kept(e) {
		for _, c := range w.Changes(h, p) {
			if !c.Weak {
				tell(e.Pos, "this message of type %s refers to %s, which the sender keeps and changes (%s); send a copy, or let go of it",
					name(pass, e), called(b, p), near(pass, e.Pos, c.Where))
				return
			}
		}
	}
}

// received reports messages that a handler changes, or stores where it is changed.
func received(pass *analysis.Pass, w *share.World, h frame.Handler, b *share.Body, tell report) {
	for _, c := range b.Writes {
		if c.Place.Root.Kind == share.Msg && strings.Contains(c.Place.Path, "*") && !b.ThroughState(c) {
			if c.Weak {
				tell(c.Pos, "handler %s appends to a slice of its message, which may overwrite what the sender has; clone it first",
					h.Name())
			} else {
				tell(c.Pos, "handler %s changes what its message refers to, which the sender may still have; copy it first",
					h.Name())
			}
		}
	}
	for _, e := range b.Edges {
		if e.Val.Root.Kind != share.Msg || e.Val.Addr {
			continue
		}
		if changes := w.Changes(h, e.To); len(changes) > 0 {
			tell(e.Pos, "handler %s stores what its message refers to in %s, which is changed later (%s) while the sender may still have it; store a copy",
				h.Name(), called(b, e.To), near(pass, e.Pos, changes[0].Where))
		}
	}
}

// name names the type of what is sent, and who sends it if that is a function of another package.
func name(pass *analysis.Pass, e share.Event) string {
	switch {
	case e.Type != nil:
		return types.TypeString(e.Type, types.RelativeTo(pass.Pkg))
	case e.By != "":
		return e.TypeName + ", sent by " + e.By + ","
	}
	return e.TypeName
}

// near names a place, given as file:line, as seen from a position: by its line if they are in the same file.
func near(pass *analysis.Pass, from token.Pos, place string) string {
	file, line, _ := strings.Cut(place, ":")
	if file == filepath.Base(pass.Fset.Position(from).Filename) {
		return "line " + line
	}
	return place
}

// called names a place for people: its fields.
func called(b *share.Body, p share.Place) string {
	path := strings.Trim(strings.ReplaceAll(p.Path, "*", ""), ".")
	_, global, _ := strings.Cut(p.Root.Name[strings.LastIndex(p.Root.Name, "/")+1:], ".")
	switch v := b.Value(p); {
	case path != "":
		return path
	case v != nil:
		return v.Name()
	case global != "":
		return global
	}
	return "memory"
}
