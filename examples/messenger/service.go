package messenger

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Service.
type Config struct {
	Users []string // names
	Log   *Log     // nil: a new one
	Fixed bool     // users read until the server has let them go
}

// Log says what became of the messages. The users alone write it; read it when the service is at rest.
type Log struct {
	Read     []string
	Returned int // to their writers
}

// Service runs a server and its users.
type Service struct {
	system *actor.ActorSystem
	users  map[string]*actor.PID
}

// Start starts a service in the given actor system.
func Start(system *actor.ActorSystem, cfg Config) (*Service, error) {
	if cfg.Log == nil {
		cfg.Log = &Log{}
	}
	s := &Service{system: system, users: map[string]*actor.PID{}}
	hub, err := s.spawn("server", func() actor.Actor { return &server{map[string]*actor.PID{}} })
	if err != nil {
		return nil, err
	}
	for _, name := range cfg.Users {
		//rehearse:allow shared the log is what tests look at when the service is at rest
		s.users[name], err = s.spawn(name, func() actor.Actor { return &user{name: name, server: hub, log: cfg.Log, patient: cfg.Fixed} })
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Service) spawn(name string, producer actor.Producer) (*actor.PID, error) {
	pid, err := s.system.Root.SpawnNamed(actor.PropsFromProducer(producer), name)
	if err != nil {
		return nil, fmt.Errorf("messenger: start %s: %w", name, err)
	}
	return pid, nil
}

// Enter has a user log in and write these messages.
func (s *Service) Enter(name string, messages ...Say) {
	s.system.Root.Send(s.users[name], Enter{messages})
}

// Leave has a user log out.
func (s *Service) Leave(name string) { s.system.Root.Send(s.users[name], Leave{}) }
