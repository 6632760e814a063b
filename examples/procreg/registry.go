package procreg

import "github.com/asynkron/protoactor-go/actor"

// entry is what the registry knows of a name.
type entry struct {
	name    string
	worker  *actor.PID
	clients []*actor.PID // who was told of the worker
}

// registry holds back the last registration until another name is asked for: registrations come in bursts.
type registry struct {
	entries map[string]*entry
	held    *entry
	view    *View
	tells   bool // the fix: clients of an entry that is held back are told, too, when it is replaced
}

// Receive implements actor.Actor.
func (r *registry) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Register:
		r.register(ctx, msg)
	case Lookup:
		e := r.find(msg.Name)
		e.clients = append(e.clients, msg.Client)
		ctx.Send(msg.Client, Located{e.worker})
	}
}

func (r *registry) register(ctx actor.Context, msg Register) {
	e := &entry{name: msg.Name, worker: msg.Worker}
	if last := r.find(msg.Name); last != r.held || r.tells {
		e.clients = last.clients
		for _, c := range last.clients {
			ctx.Send(c, Located{msg.Worker})
		}
	}
	r.held, r.view.Registered = e, e.worker
}

// find gives the entry of a name. One of another name is held back no longer.
func (r *registry) find(name string) *entry {
	if r.held != nil && r.held.name != name {
		r.entries[r.held.name], r.held = r.held, nil
	}
	if r.held != nil {
		return r.held
	}
	if r.entries[name] == nil {
		r.entries[name] = &entry{name: name}
	}
	return r.entries[name]
}
