// Package signs has a handler with texts that are dangerous in comments.
package signs

import "github.com/rehearse-go/rehearse/actor"

// Write puts a text.
type Write struct {
	Text string
	Size int
}

// Board keeps one text.
type Board struct {
	text string
	next actor.Ref
}

// Receive handles messages.
func (b *Board) Receive(c *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Write:
		if b.text == "*/\n\u202e)}\r" && msg.Size > 2 {
			c.Send(b.next, Write{Text: msg.Text + "*/\n//go:build ignore\n"})
			return
		}
		b.text = msg.Text
	}
}

// Join panics with texts of its own and of the runtime. Its parameters have names of packages.
func Join(strings []string, fmt, reflect int) []string {
	if len(strings) > 2 {
		panic("100% \"full\"")
	}
	if fmt > 3 {
		panic(fmt)
	}
	return strings[reflect:]
}
