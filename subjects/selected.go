package subjects

import (
	"fmt"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/trace"
)

// Selected is a test of table 1 of [ASTS]: a program with what its tasks may call, read and write. The sources of that
// paper are lost; these are programs of the same names whose counts fit. Nobody stops.
type Selected struct {
	Name    string // as the table has it
	System  func() *actor.System
	Calls   trace.Calls
	Effects trace.Effects
}

// SelectedTests are the tests of table 1 of [ASTS] of which we have a program, and Figure 3, in the order of the table.
func SelectedTests() []Selected {
	return []Selected{
		// Of lists of six values the split of this one fits; none of seven fits in all counts.
		{"QSort(5)", func() *actor.System { return SortTasks(3, 5, 4, 2, 1, 0) }, sortCalls, sortEffects},
		{"QSort(6)", func() *actor.System { return SortTasks(3, 6, 5, 4, 2, 1, 0) }, sortCalls, sortEffects},
		{"Fib(5)", func() *actor.System { return FibTasksTo(5, 2) }, fibCalls, fibEffects},
		{"Fib(7)", func() *actor.System { return FibTasksTo(7, 2) }, fibCalls, fibEffects},
		{"Pi(3)", func() *actor.System { return PiTasks(3) }, piCalls, piEffects},
		{"Pi(5)", func() *actor.System { return PiTasks(5) }, piCalls, piEffects},
		{"PSort(4,1)", func() *actor.System { return PSort(4, 1) }, psortCalls, psortEffects},
		{"PSort(4,2)", func() *actor.System { return PSort(4, 2) }, psortCalls, psortEffects},
		{"RegSim(6,1)", func() *actor.System { return RegSimTasks(6, 1) }, regSimCalls, regSimEffects},
		{"RegSim(4,2)", func() *actor.System { return RegSimTasks(4, 2) }, regSimCalls, regSimEffects},
		{"DHT(a)", DHT, dhtCalls, dhtEffects},
		{"BB(3,1)", func() *actor.System { return BoundedBuffer(3, 1) }, bufferCalls, bufferEffects},
		{"BB(4,2)", func() *actor.System { return BoundedBuffer(4, 2) }, bufferCalls, bufferEffects},
	}
}

// SelectedTest gives the test of that name. It panics if there is none.
func SelectedTest(name string) Selected {
	for _, s := range SelectedTests() {
		if s.Name == name {
			return s
		}
	}
	panic(fmt.Sprintf("subjects: no test %q of table 1 of [ASTS]", name))
}

// calls is short for the calls of one handler: pairs of actor and message, each under depth conditions.
func calls(actor, message string, may ...trace.MaySend) trace.Caller {
	return trace.Caller{Actor: actor, Message: message, May: may}
}
