package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/trace"
)

// Planted is a program with a bug that few orders of its deliveries show.
type Planted struct {
	Name  string // with its parameters
	Make  func() *actor.System
	Model trace.Model         // delivery model to explore it under
	Kind  trace.ViolationKind // of the bug
	Large bool                // 1,000 actors and more: its executions take milliseconds
}

// Bita lists the programs on which strategies that look for bugs are compared: executions until the bug is found. The
// first three, the ring and the checked error follow a figure of a paper, the others the description of a program or of
// a kind of bug. Each says so in its file. No bug shows in the default order. All are meant for fifo, as actors of
// several processes have it; under mailbox, causal and mailbox-serial only those of barber (with two customers or
// more), procreg and messenger exist.
func Bita() []Planted {
	return []Planted{
		{Name: "gatling(1)", Make: func() *actor.System { return Gatling(1) }, Model: trace.FIFO, Kind: trace.Panic},
		{Name: "gatling(10)", Make: func() *actor.System { return Gatling(10) }, Model: trace.FIFO, Kind: trace.Panic},
		{Name: "flushdeep(3,8)", Make: func() *actor.System { return FlushDeep(3, 8) }, Model: trace.FIFO, Kind: trace.Panic},
		{Name: "checkerr(1)", Make: func() *actor.System { return CheckErr(1) }, Model: trace.FIFO, Kind: trace.Assertion},
		{Name: "checkerr(3)", Make: func() *actor.System { return CheckErr(3) }, Model: trace.FIFO, Kind: trace.Assertion},
		{Name: "barber(6,4)", Make: func() *actor.System { return Barber(6, 4) }, Model: trace.FIFO, Kind: trace.Assertion},
		{Name: "procreg(5,3)", Make: func() *actor.System { return ProcReg(5, 3) }, Model: trace.FIFO, Kind: trace.Assertion},
		{Name: "threadring(20)", Make: func() *actor.System { return ThreadRing(20) }, Model: trace.FIFO,
			Kind: trace.Assertion},
		{Name: "lostsub(6,2)", Make: func() *actor.System { return LostSub(6, 2) }, Model: trace.FIFO, Kind: trace.Assertion},
		{Name: "messenger(6)", Make: func() *actor.System { return Messenger(6) }, Model: trace.FIFO, Kind: trace.Assertion},
		{Name: "twoflags(4)", Make: func() *actor.System { return TwoFlags(4) }, Model: trace.FIFO, Kind: trace.Assertion},

		{Name: "gatling(1000)", Make: func() *actor.System { return Gatling(1000) }, Model: trace.FIFO,
			Kind: trace.Panic, Large: true},
		{Name: "flushdeep(10,1000)", Make: func() *actor.System { return FlushDeep(10, 1000) }, Model: trace.FIFO,
			Kind: trace.Panic, Large: true},
		{Name: "threadring(1000)", Make: func() *actor.System { return ThreadRing(1000) }, Model: trace.FIFO,
			Kind: trace.Assertion, Large: true},
		{Name: "lostsub(1000,8)", Make: func() *actor.System { return LostSub(1000, 8) }, Model: trace.FIFO,
			Kind: trace.Assertion, Large: true},
		{Name: "messenger(1000)", Make: func() *actor.System { return Messenger(1000) }, Model: trace.FIFO,
			Kind: trace.Assertion, Large: true},
		{Name: "twoflags(1000)", Make: func() *actor.System { return TwoFlags(1000) }, Model: trace.FIFO,
			Kind: trace.Assertion, Large: true},
	}
}
