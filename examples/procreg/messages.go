package procreg

import "github.com/asynkron/protoactor-go/actor"

// Begin asks a worker to register, or a client to look its name up.
type Begin struct{}

// Register puts a worker into the place of whoever has the name.
type Register struct {
	Name   string
	Worker *actor.PID
}

// Lookup asks who has a name, and to be told when that changes.
type Lookup struct {
	Name   string
	Client *actor.PID
}

// Located tells a client who has the name; nil: nobody.
type Located struct{ Worker *actor.PID }
