package toy

import (
	"reflect"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

var _ explore.Inspector = (*execution)(nil)

// Nature is explore.Inspector: all that toys hold is numbers.
func (*execution) Nature(reflect.Type) explore.Nature { return explore.Plain }

// ActorOf is explore.Inspector.
func (*execution) ActorOf(any) (int32, string) { return -1, "" }

// Kept is explore.Inspector.
func (*execution) Kept(int32) any { return nil }

// Settled is explore.Inspector.
func (x *execution) Settled(n int32) bool { return x.actors[n].waits < 0 && len(x.actors[n].ops) == 0 }

// Disclosed is explore.Inspector. Which timer an actor has set last, and what has become of it, is known by its history
// only.
func (x *execution) Disclosed() (explore.Disclosure, string) {
	if len(x.timers) > 0 {
		return explore.ByHistory, ""
	}
	return explore.ByValue, ""
}

// Attached is explore.Inspector: whether an answer is wanted, and will find somebody.
func (x *execution) Attached(m int32) any {
	call, caller := x.extra[m].call, &x.actors[x.tr.Messages[m].Sender]
	switch {
	case call == 0 || x.tr.Messages[m].Kind == trace.Answer:
		return nil
	case caller.waits >= 0 && caller.calls == call:
		return "call"
	}
	return "answered call"
}

// Arrangement is explore.Inspector.
func (x *execution) Arrangement() explore.Arrangement { return &x.pool }
