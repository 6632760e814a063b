package trace

import (
	"reflect"
	"slices"
)

// Cases says which messages the handlers of a program have cases for, by the type of their actor.
type Cases map[string]Matched

// Matched is what the handler of a type of actors does with a message because of its type.
type Matched struct {
	Types []string // it has cases for these; see MessageName
	// it surely has none for these, and does nothing with them; tells of types that Ignores does not tell of
	Ignored []string
	Ignores bool   // it does nothing with a message of any other type
	Unclear string // why a message may pass for handled that is not, "" if none does
}

// Has reports whether the handler has a case for a type of messages.
func (m *Matched) Has(message string) bool { return slices.Contains(m.Types, message) }

// MessageName names the type of a message as cases do. It is the name that traces have, with the star of a pointer: a
// case for a type is none for pointers to it.
func MessageName(v any) string {
	rt := reflect.TypeOf(v)
	switch {
	case rt == nil:
		return "nil"
	case isPointer(rt):
		return "*" + typeName(rt)
	}
	return typeName(rt)
}
