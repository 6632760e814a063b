package onestep

import (
	"reflect"
	"strings"
)

// References tells the actors of a test apart in frameworks where an actor has a text for identity. Those that the
// handler creates have identities that the test does not know: others stand for them, as Spawned gives them.
type References struct {
	Tested string
	Peers  []string // in the order in which they are created, behind the tested one

	created map[string]string // by what Spawned gives
}

// spawned begins the identities that stand for those of actors that the handler creates.
const spawned = "spawned:"

// Spawned stands for the identity of the n-th actor that the handler creates, counted from 1.
func (r *References) Spawned(n int) string { return spawned + strings.Repeat("|", n) }

// Same compares an identity with what is wanted. One of Spawned is that of the first actor that it is compared with and
// that is none of the test's.
func (r *References) Same(got, want string) bool {
	if !strings.HasPrefix(want, spawned) {
		return got == want
	}
	if r.created[want] == "" && !r.knows(got) {
		if r.created == nil {
			r.created = map[string]string{}
		}
		r.created[want] = got
	}
	return r.created[want] == got
}

// SamePID compares pointers to structs with the text fields Address and id.
func (r *References) SamePID(got, want reflect.Value, id string) bool {
	if got.IsNil() || want.IsNil() {
		return got.IsNil() == want.IsNil()
	}
	field := func(v reflect.Value, name string) string { return v.Elem().FieldByName(name).String() }
	return field(got, "Address") == field(want, "Address") && r.Same(field(got, id), field(want, id))
}

// knows reports whether an identity is that of an actor of the test, or of one that is known by now.
func (r *References) knows(identity string) bool {
	for _, known := range r.created {
		if known == identity {
			return true
		}
	}
	return r.peer(identity) >= 0 || identity == r.Tested
}

func (r *References) peer(identity string) int {
	for i, p := range r.Peers {
		if p == identity {
			return i
		}
	}
	return -1
}

// Number gives the number of an actor as traces have it, -1 if it is none that the test knows. more: actors of the test
// that are created behind the peers.
func (r *References) Number(identity string, more int) int32 {
	if n, ok := strings.CutPrefix(identity, spawned); ok {
		return int32(1 + len(r.Peers) + more + len(n))
	}
	if i := r.peer(identity); i >= 0 {
		return int32(i + 2)
	}
	if identity == r.Tested {
		return 1
	}
	return -1
}
