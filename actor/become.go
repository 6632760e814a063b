package actor

import (
	"reflect"
	"slices"
)

func (c *Context) use(b Behavior) {
	info := c.m.types.of(b)
	c.behavior, c.accepter = b, nil
	if info.accepts {
		c.accepter = b.(Accepter)
	}
	c.plain, c.pointee = info.plain, info.pointee
}

// Become handles the next messages with b, until Unbecome or the next Become.
func (c *Context) Become(b Behavior) {
	if b == nil {
		panic("rehearse: Become of a nil behaviour")
	}
	if c.acts() {
		c.m.redo.noteEffect(c, noteBecome, 0)
		c.m.actors.changes(c)
		c.previous = append(c.previous, c.behavior)
		c.use(b)
	}
}

// maxDropped bounds how many dropped behaviours of an actor are compared as part of its state. An actor that goes back
// from a new one for ever would never be in the same state again.
const maxDropped = 8

// drop keeps the behaviour that Unbecome is about to leave.
func (c *Context) drop() {
	b := c.behavior
	switch {
	case slices.ContainsFunc(c.dropped, func(o Behavior) bool { return sameInstance(o, b) }):
	case len(c.dropped) == maxDropped:
		c.crowded = true
	default:
		c.dropped = append(c.dropped, b)
	}
}

// sameInstance reports whether two behaviours are one value behind a pointer, or hold nothing that could differ later.
func sameInstance(a, b Behavior) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.Type() != y.Type() {
		return false
	}
	return x.Kind() == reflect.Pointer && x.Pointer() == y.Pointer() ||
		x.Kind() != reflect.Pointer && x.Comparable() && x.Equal(y)
}

// Unbecome goes back to the behaviour before the last Become; it does nothing if there was none.
func (c *Context) Unbecome() {
	if n := len(c.previous); n > 0 && c.acts() {
		c.m.redo.noteEffect(c, noteUnbecome, 0)
		c.m.actors.changes(c)
		c.drop()
		c.use(c.previous[n-1])
		c.previous = c.previous[: n-1 : n-1]
	}
}

// changes notes that the present step changes how the actor handles messages.
func (as *actors) changes(c *Context) {
	m := as.m
	if !m.redo.on { // else it has changed it already, to the behaviour as it was made then
		m.undo.saveLife(c)
		m.tr.Events[m.event].Changes = true
	}
}
