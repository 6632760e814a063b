package protoactor

import (
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
	cmap "github.com/orcaman/concurrent-map"

	"github.com/rehearse-go/rehearse/adapter"
)

// mark is registered in every actor system that an execution uses, to recognise one that outlives it.
type mark struct{ execution uint64 }

const markName = "rehearse$execution"

func (mark) SendUserMessage(*actor.PID, any)   {}
func (mark) SendSystemMessage(*actor.PID, any) {}
func (mark) Stop(*actor.PID)                   {}

var errOutlived = errors.New("the actor system was created outside of this execution (in a package variable, an " +
	"init function, a sync.Once?): every execution must start afresh, so create the actor system in the test " +
	"function, or in what it calls")

// refuseOutlived ends the exploration if the system was not created in this execution. Its actors would carry state
// from one execution to the next, and its channels would cross bubbles, which is fatal. It does not return then.
func (f *framework) refuseOutlived(rt *adapter.Runtime, system *actor.ActorSystem) {
	registry := system.ProcessRegistry
	// A registry made before the exploration has the stock number of shards.
	foreign := len(registry.LocalPIDs.LocalPIDs[0]) != cmap.SHARD_COUNT
	if !foreign {
		if p, ok := registry.GetLocal(markName); ok {
			m, ours := p.(mark)
			foreign = ours && m.execution != rt.Serial()
		} else {
			registry.Add(mark{rt.Serial()}, markName)
		}
	}
	if foreign {
		rt.Fail(errOutlived)
		select {}
	}
}

// refuseOutlived ends the exploration if this actor is one of an earlier execution: a PID remembers the process that it
// once led to, whatever its name leads to now. It does not return then.
func (m *mailbox) refuseOutlived(message any) {
	if m.execution != m.rt.Serial() && m.rt.Exploring() {
		m.rt.Refuse(fmt.Errorf("%T was sent to %s of an earlier execution: a PID (in a package variable, or in what "+
			"executions share) remembers the actor that it led to; make PIDs in the test function, or in what it "+
			"calls", message, m.id))
	}
}
