package protoactor

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/asynkron/protoactor-go/actor"
)

// This file tells which events change the handlers of an actor, as coverage needs to know that pairs such changes with
// other receives.
//
// Source: [Bita13] III-A3, cmh(r). The paper's framework is told of a change; protoactor-go's actor.Behavior is a value
// somewhere in the user's actor, of which nobody is told. So the actor is looked at after each of its events, and
// compared with what was there before.
//
// What counts is another instance behind the actor (a restart), and other functions in a Behavior. The Behavior may be
// a field of the actor, of structs and arrays in it, or of what its pointers lead to, one pointer far. A Behavior does
// not count in a slice, a map, an interface, in the closure of an actor made from a function, or behind two pointers.
// Nor does an actor that tells its states apart by a field of its own, or a restart whose producer gives the same value
// again. Nor does Become with the very function that is there, but a method value counts, since Go makes a new one each
// time. What is undone in the same event does not count either. Cost: two comparisons an event, and one a function
// where there is a Behavior. The places are found once a type.

// behaviorType is the type of the framework's stack of handlers.
var behaviorType = reflect.TypeFor[actor.Behavior]()

// A behaviorPlace is where a Behavior is in an instance: offsets, with a pointer to follow at each but the last.
type behaviorPlace []uintptr

// hops is how many pointers are followed from the actor.
const hops = 1

// stance is what an actor was like when it was last looked at. It keeps the instance and the functions alive, so that
// no others can have their addresses.
type stance struct {
	instance actor.Actor
	base     unsafe.Pointer // to the struct that instance is or points to
	places   []behaviorPlace
	handlers []actor.ReceiveFunc // of all places, nil behind those of each
}

// Changed is adapter.Actor.Changed.
func (m *mailbox) Changed() bool {
	s := &m.stance
	now := m.context.Actor()
	another := *words(&now) != *words(&s.instance)
	if another {
		s.instance, s.base, s.places = now, baseOf(now), m.framework.placesIn(now)
	}
	if s.same() {
		return another
	}
	s.handlers = s.handlers[:0]
	for _, p := range s.places {
		s.handlers = append(append(s.handlers, s.behavior(p)...), nil)
	}
	return true
}

// same reports whether the functions are those of the last look.
func (s *stance) same() bool {
	n := 0
	for _, p := range s.places {
		for _, f := range s.behavior(p) {
			if n == len(s.handlers) || word(&f) != word(&s.handlers[n]) {
				return false
			}
			n++
		}
		if n == len(s.handlers) || s.handlers[n] != nil {
			return false
		}
		n++
	}
	return n == len(s.handlers)
}

// behavior reads the Behavior in a place, nil if a pointer to it is.
func (s *stance) behavior(p behaviorPlace) actor.Behavior {
	at := s.base
	last := len(p) - 1
	for _, offset := range p[:last] {
		if at = *(*unsafe.Pointer)(unsafe.Add(at, offset)); at == nil {
			return nil
		}
	}
	return *(*actor.Behavior)(unsafe.Add(at, p[last]))
}

// words are those of an interface value: its type, and its value, or a pointer to that.
func words(a *actor.Actor) *[2]unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(a)) }

// wordsOf points to a function value.
func wordsOf(f *actor.SpawnFunc) unsafe.Pointer { return unsafe.Pointer(f) }

// word is the pointer that a function value is: to its code and what it captures.
func word(f *actor.ReceiveFunc) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(f)) }

// baseOf points to what a pointer points to, or to a copy of any other value: methods of the original have copies of
// it, too, and cannot change it.
func baseOf(a actor.Actor) unsafe.Pointer {
	v := reflect.ValueOf(a)
	if v.Kind() == reflect.Pointer {
		return v.UnsafePointer()
	}
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c.UnsafePointer()
}

// placesIn looks for the Behaviors of a type once.
func (f *framework) placesIn(a actor.Actor) []behaviorPlace {
	t := reflect.TypeOf(a)
	l, known := f.places[t]
	if known {
		return l
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	l = findBehaviors(nil, t, nil, 0, hops)
	if f.places == nil {
		f.places = map[reflect.Type][]behaviorPlace{}
	}
	f.places[reflect.TypeOf(a)] = l
	return l
}

// findBehaviors adds the places of a value of type t, at an offset behind the pointers of path, and of those so many
// more pointers lead to.
func findBehaviors(places []behaviorPlace, t reflect.Type, path behaviorPlace, offset uintptr,
	left int) []behaviorPlace {
	switch {
	case t == behaviorType:
		places = append(places, append(slices.Clone(path), offset))
	case t.Kind() == reflect.Pointer && left > 0:
		places = findBehaviors(places, t.Elem(), append(slices.Clone(path), offset), 0, left-1)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			places = findBehaviors(places, f.Type, path, offset+f.Offset, left)
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			before := len(places)
			places = findBehaviors(places, t.Elem(), path, offset+uintptr(i)*t.Elem().Size(), left)
			if len(places) == before {
				return places // nor are there any in the other elements
			}
		}
	}
	return places
}
