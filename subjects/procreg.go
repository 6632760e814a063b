package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// ProcReg is a process registry in the manner of the program of that name of [Bita13], which is not published. N
// processes register under k names, round robin, so that names are taken over, and k clients look up one name each. Who
// looked up a name is told when it is taken over. Registrations come in bursts, so the registry holds the last one back
// until another name is asked for. The bug: a registration replaces one of the same name that is held back, and with it
// the list of those who looked that up. It takes a lookup directly between two registrations of one name.
func ProcReg(n, k int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		reg := &procRegistry{entries: make([]procEntry, k)}
		clients := make([]*lookupClient, k)
		var starts []actor.Ref
		t.SetUp(func() {
			r := ctx.Spawn(reg)
			for i := range n {
				starts = append(starts, ctx.Spawn(&enrolling{registry: r, name: i % k}))
			}
			for i := range clients {
				clients[i] = &lookupClient{registry: r, name: i}
				starts = append(starts, ctx.Spawn(clients[i]))
			}
		})
		for _, s := range starts {
			ctx.Send(s, start{})
		}
		t.AtEnd(func() {
			for _, c := range clients {
				if c.knows != (actor.Ref{}) && c.knows != reg.holder(c.name) {
					t.Errorf("client %d was not told that name %d was taken over", c.name, c.name)
				}
			}
		})
	})
}

type (
	enrol struct {
		name   int
		holder actor.Ref
	}
	lookup struct {
		name   int
		client actor.Ref
	}
	located struct{ holder actor.Ref } // nobody if the name is not registered
)

type procEntry struct {
	holder  actor.Ref
	clients []actor.Ref // who was told of the holder
}

type procRegistry struct {
	entries []procEntry
	held    *procEntry // of the last registration, until another name is asked for
	name    int        // of held
}

func (r *procRegistry) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case enrol:
		if !r.holds(msg.name) {
			for _, c := range r.entries[msg.name].clients {
				ctx.Send(c, located{msg.holder})
			}
		}
		r.held, r.name = &procEntry{holder: msg.holder}, msg.name
	case lookup:
		e := &r.entries[msg.name]
		if r.holds(msg.name) {
			e = r.held
		}
		if e.holder != (actor.Ref{}) {
			e.clients = append(e.clients, msg.client)
		}
		ctx.Send(msg.client, located{e.holder})
	}
}

// holds reports whether the registration that is held back is of this name; one of another name is held back no longer.
func (r *procRegistry) holds(name int) bool {
	if r.held != nil && r.name != name {
		r.entries[r.name], r.held = *r.held, nil
	}
	return r.held != nil
}

// holder is the process that a name stands for.
func (r *procRegistry) holder(name int) actor.Ref {
	if r.held != nil && r.name == name {
		return r.held.holder
	}
	return r.entries[name].holder
}

type enrolling struct {
	registry actor.Ref
	name     int
}

func (p *enrolling) Receive(ctx *actor.Context, _ any) {
	ctx.Send(p.registry, enrol{p.name, ctx.Self()})
}

type lookupClient struct {
	registry actor.Ref
	name     int
	knows    actor.Ref
}

func (c *lookupClient) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case start:
		ctx.Send(c.registry, lookup{c.name, ctx.Self()})
	case located:
		c.knows = msg.holder
	}
}
