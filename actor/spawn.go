package actor

import "github.com/rehearse-go/rehearse/explore"

// actors are the actors of this execution: how they begin, and how they end.
type actors struct {
	m       *machine
	all     []*Context // those beyond len are kept for the next execution
	watches int        // watch requests that were sent and not handled
}

// newContext gives the context of the next actor.
func (as *actors) add() *Context {
	n := len(as.all)
	if n < cap(as.all) {
		as.all = as.all[:n+1]
	} else {
		as.all = append(as.all, nil)
	}
	c := as.all[n]
	if c == nil {
		c = &Context{}
		as.all[n] = c
	}
	*c = Context{m: as.m, index: int32(n),
		life: life{handles: handles{previous: c.previous[:0], dropped: c.dropped[:0]}, tasks: c.tasks[:0], stash: c.stash[:0],
			watchers: c.watchers[:0]}}
	return c
}

// Spawn creates an actor.
func (c *Context) Spawn(b Behavior) Ref { return c.SpawnNamed("", b) }

// SpawnNamed creates an actor with a name for people, which need not be unique.
func (c *Context) SpawnNamed(name string, b Behavior) Ref {
	if b == nil {
		panic("rehearse: Spawn of a nil behaviour")
	}
	if !c.acts() {
		return Ref{}
	}
	m := c.m
	if m.redo.on {
		return m.redo.spawnAgain(m.types.ofBehavior(name, b), name, b)
	}
	if len(m.tr.Events[m.event].Created) >= m.c.MaxSteps {
		m.outbox.floods(c)
	}
	i := m.tr.AddActor(m.types.ofBehavior(name, b), name, c.index, m.event)
	child := m.actors.add()
	child.clock = c.Now()
	child.use(b)
	m.actors.keepBirth(child, b)
	if m.types.of(b).starts {
		m.actors.start(child, b.(Starter))
		m.running = c
		m.draws.sowOn(m.tr.Actors[i].ID)
	}
	return refOf(i)
}

// start runs the start hook of a new actor as part of the step that creates it.
func (as *actors) start(c *Context, s Starter) {
	m := as.m
	h := m.handlers.fresh(c, -1)
	c.starting, c.cur, m.running = true, h, c
	defer func() {
		// A Goexit goes through: it ends the creating handler too.
		if r := recover(); r != nil {
			if explore.IsFailNow(r) {
				panic(r)
			}
			m.handlers.panicked(c, r)
			as.started(c, h)
		}
	}()
	s.Start(c)
	h.left()
	as.started(c, h)
}

func (as *actors) started(c *Context, h *handler) {
	c.starting, c.cur = false, nil
	as.m.handlers.free = append(as.m.handlers.free, h)
	if c.stopping {
		as.stop(c)
	}
}
