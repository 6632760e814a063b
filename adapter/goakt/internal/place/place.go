// Package place lets package steptest put actors where a test has references to them before they exist.
package place

import "github.com/tochemey/goakt/v4/actor"

// Move has an actor that is at rest live on at another address: to is from now on the reference to it. Package goakt
// sets it.
var Move func(from, to *actor.PID)
