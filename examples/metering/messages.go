package metering

import "github.com/asynkron/protoactor-go/actor"

// Begin asks a meter to send so many readings.
type Begin struct{ Readings int }

// Tick is when a meter takes its next reading.
type Tick struct{}

// Reading is what a meter has counted since its last one, in watt hours.
type Reading struct{ Used int }

// Book adds a reading to the ledger.
type Book Reading

// Done tells the office that a meter has sent its last reading.
type Done struct{}

// Close asks for the bill of the day.
type Close struct{ Office *actor.PID }

// Bill is what the day comes to.
type Bill struct{ Used int }
