package goakt

import "reflect"

// passivate is the message by which an actor's time is up.
var passivate = reflect.TypeFor[Passivate]()

// passivates stops the actor, unless it may not be.
func (b *box) passivates() {}
