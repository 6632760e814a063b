package hollywood

import (
	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
)

// inert has what a process of ours never does that is no actor of the program's.
type inert struct{ adapter.Inert }

func (inert) Start()                  {}
func (inert) Invoke([]actor.Envelope) {}
func (inert) Shutdown()               {}

// dropped is the inbox of an actor that is born when its execution is over.
type dropped struct{}

func (dropped) Send(actor.Envelope)   {}
func (dropped) Start(actor.Processer) {}
func (dropped) Stop() error           { return nil }
