package metering

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Town.
type Config struct {
	Meters    int
	Districts int   // with a concentrator each; 0: one
	Desk      *Desk // takes the bills; nil: a new one
	Fixed     bool  // the day is closed by way of the concentrators, behind their readings
}

// Desk is where bills arrive. The office alone writes it; read it when the town is at rest.
type Desk struct{ Bills []Bill }

// Town runs the actors of one town.
type Town struct {
	system *actor.ActorSystem
	meters []*actor.PID
}

// New prepares a town in the given actor system.
func New(system *actor.ActorSystem, cfg Config) (*Town, error) {
	cfg.Districts = max(cfg.Districts, 1)
	if cfg.Desk == nil {
		cfg.Desk = &Desk{}
	}
	t := &Town{system: system}
	books, desk := &ledger{open: 1}, &office{running: cfg.Meters, desk: cfg.Desk}
	l, err := t.spawn("ledger", books)
	if err != nil {
		return nil, err
	}
	var districts []*actor.PID
	for i := range cfg.Districts {
		c, err := t.spawn(fmt.Sprint("concentrator", i), &concentrator{l})
		if err != nil {
			return nil, err
		}
		districts = append(districts, c)
	}
	desk.closing = []*actor.PID{l}
	if cfg.Fixed {
		desk.closing, books.open = districts, len(districts)
	}
	o, err := t.spawn("office", desk)
	if err != nil {
		return nil, err
	}
	for i := range cfg.Meters {
		m, err := t.spawn(fmt.Sprint("meter", i), &meter{concentrator: districts[i%len(districts)], office: o})
		if err != nil {
			return nil, err
		}
		t.meters = append(t.meters, m)
	}
	return t, nil
}

// spawn starts an actor that is never restarted.
func (t *Town) spawn(name string, a actor.Actor) (*actor.PID, error) {
	pid, err := t.system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return a }), name)
	if err != nil {
		return nil, fmt.Errorf("town: start %s: %w", name, err)
	}
	return pid, nil
}

// Day has every meter send so many readings.
func (t *Town) Day(readings int) {
	for _, m := range t.meters {
		t.system.Root.Send(m, Begin{readings})
	}
}
