// Package platforms has a file of another platform.
package platforms

import "github.com/rehearse-go/rehearse/actor"

type (
	// Door is an actor.
	Door struct{ open bool }
	// Open is its message.
	Open struct{}
)

// Receive opens the door.
func (d *Door) Receive(_ *actor.Context, msg any) {
	if _, ok := msg.(Open); ok {
		d.open = true
	}
}
