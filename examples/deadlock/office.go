package deadlock

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures an Office.
type Config struct {
	Stock   map[string]int
	Timeout time.Duration // of requests between the actors; 0: they wait for ever
	Book    *Book         // takes the results; nil: a new one
	Fixed   bool          // orders stay open for other messages while they wait for the inventory
}

// Book lists the orders that were confirmed. The orders actor alone writes it; read it when the office is at rest.
type Book struct{ Confirmed []string }

// Office runs the actors of the back office.
type Office struct {
	system       *actor.ActorSystem
	orders, dock *actor.PID
}

// Open starts an office in the given actor system.
func Open(system *actor.ActorSystem, cfg Config) (*Office, error) {
	if cfg.Timeout == 0 {
		cfg.Timeout = -1 // protoactor: no timeout
	}
	if cfg.Book == nil {
		cfg.Book = &Book{}
	}
	o := &Office{system: system}
	// Orders and inventory know each other, so one of them is known by its name first.
	o.orders = actor.NewPID(system.Address(), "orders")
	inventory, err := o.spawn("inventory", func() actor.Actor { return newInventory(o.orders, cfg.Timeout, cfg.Stock) })
	if err != nil {
		return nil, err
	}
	if _, err = o.spawn("orders", func() actor.Actor { return cfg.orders(inventory) }); err != nil {
		return nil, err
	}
	inspector, err := o.spawn("inspection", func() actor.Actor { return &inspection{inventory} })
	if err != nil {
		return nil, err
	}
	o.dock, err = o.spawn("dock", func() actor.Actor { return &dock{inspector} })
	return o, err
}

func (cfg Config) orders(inventory *actor.PID) actor.Actor {
	o := orders{inventory: inventory, timeout: cfg.Timeout, book: cfg.Book}
	if cfg.Fixed {
		return &openOrders{o}
	}
	return &o
}

func (o *Office) spawn(name string, producer actor.Producer) (*actor.PID, error) {
	pid, err := o.system.Root.SpawnNamed(actor.PropsFromProducer(producer), name)
	if err != nil {
		return nil, fmt.Errorf("office: start %s: %w", name, err)
	}
	return pid, nil
}

// Place places an order.
func (o *Office) Place(order, item string, count int) {
	o.system.Root.Send(o.orders, Place{order, item, count})
}

// Truck announces goods at the dock.
func (o *Office) Truck(item string, count int) {
	o.system.Root.Send(o.dock, Truck{item, count})
}
