// Package fixed has actors with numbers that nothing writes after they were made, and with others.
package fixed

import "github.com/rehearse-go/rehearse/actor"

// Config is made once.
type Config struct {
	Workers int
	Names   []string
}

// Begin, Raise and Grow are messages.
type (
	Begin struct{}
	Raise struct{}
	Grow  struct{}
)

// spare is overwritten as a whole.
type spare struct{ n int }

// Master counts its workers.
type Master struct {
	config Config
	limit  int
	taken  int
	whole  spare
	seen   int
}

// NewMaster makes one.
func NewMaster(workers int) *Master {
	return &Master{config: Config{Workers: workers}, limit: 5, taken: 5}
}

// Receive handles messages.
func (m *Master) Receive(_ *actor.Context, msg any) {
	switch msg.(type) {
	case Begin:
		n := 0
		for range m.config.Workers {
			n++
		}
		if n == 5 {
			m.seen = 5
		}
		if n == 6 {
			m.seen = 6
		}
	case Raise:
		m.limit++
		up(&m.taken)
		m.whole = spare{m.limit}
	}
}

func up(n *int) { *n++ }

// Tree makes trees that are larger.
type Tree struct{ size int }

// Receive handles messages.
func (t *Tree) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case Begin:
		n := 0
		for range t.size {
			n++
		}
		if n == 7 {
			ctx.Stop()
		}
	case Grow:
		ctx.Send(ctx.Spawn(&Tree{size: t.size + 1}), Begin{})
	}
}

// Strict has a case for each message of its driver, and for others.
type Strict struct{}

// Receive handles messages.
func (*Strict) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case Begin:
	default:
		ctx.Unhandled()
	}
}
