package failover

import "github.com/asynkron/protoactor-go/actor"

// service answers queries from the first store that is open.
type service struct {
	stores []string
	desk   *Desk
}

// Receive implements actor.Actor.
func (s *service) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Opened:
		s.stores = append(s.stores, msg.Store)
	case Query:
		if len(s.stores) == 0 {
			s.desk.Failed = append(s.desk.Failed, msg.Key)
			return
		}
		s.desk.Answered = append(s.desk.Answered, msg.Key)
	}
}

// patientService keeps queries until a store is open.
type patientService struct {
	service
	waiting []Query
}

// Receive implements actor.Actor.
func (s *patientService) Receive(ctx actor.Context) {
	if q, ok := ctx.Message().(Query); ok && len(s.stores) == 0 {
		s.waiting = append(s.waiting, q)
		return
	}
	s.service.Receive(ctx)
	if len(s.stores) > 0 {
		for _, q := range s.waiting {
			s.desk.Answered = append(s.desk.Answered, q.Key)
		}
		s.waiting = nil
	}
}

// opener opens a store.
type opener struct {
	store   string
	service *actor.PID
}

// Receive implements actor.Actor.
func (o *opener) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(Open); ok {
		ctx.Send(o.service, Opened{o.store})
	}
}

// gateway hands queries on.
type gateway struct{ service *actor.PID }

// Receive implements actor.Actor.
func (g *gateway) Receive(ctx actor.Context) {
	if q, ok := ctx.Message().(Query); ok {
		ctx.Send(g.service, q)
	}
}
