package goakt

import "github.com/rehearse-go/rehearse/adapter"

// inert has what an actor never does that is no actor of the program's: it neither fails nor stops.
type inert struct{}

func (inert) Failed(reason, payload any) { panic(reason) }
func (inert) Ready() bool                { return true }
func (inert) Gone() bool                 { return false }
func (inert) Stay() bool                 { return true }
func (inert) Leave()                     {}
func (inert) Timed() bool                { return false }
func (inert) Deadline() adapter.Deadline { return adapter.Deadline{} }
func (inert) Changed() bool              { return false }
func (inert) Crash()                     {}
func (inert) Restart()                   {}
func (inert) Count(int)                  {}
