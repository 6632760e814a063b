// Package twice imports a package that has tests.
package twice

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/symbolic/gentest/testdata/twice/inner"
)

// New makes a counter.
func New(c *actor.Context) actor.Ref { return c.Spawn(&inner.Counter{}) }
