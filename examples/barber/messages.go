package barber

import "github.com/asynkron/protoactor-go/actor"

// Come asks a customer to go and have his hair cut.
type Come struct{}

// Arrive asks the waiting room for a seat.
type Arrive struct{ Customer *actor.PID }

// Full says that there is none.
type Full struct{}

// Ring is the bell.
type Ring struct{}

// Next asks the waiting room who is next.
type Next struct{ Barber *actor.PID }

// Customer is the answer.
type Customer struct{ Customer *actor.PID }

// Nobody is the other answer.
type Nobody struct{}

// Trimmed tells a customer that he may go.
type Trimmed struct{}
