package dpor

import (
	"os"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// declaredProgram is one of [ASTS] with its tasks' reads and writes: so many classes without, so many with them.
type declaredProgram struct {
	name    string
	make    func() *actor.System
	effects trace.Effects
	model   trace.Model
	without int
	with    int
}

var declared = []declaredProgram{
	{"registry", subjects.Registry, subjects.RegistryEffects(), trace.Bag, 6, 2},
	{"registry", subjects.Registry, subjects.RegistryEffects(), trace.FIFO, 6, 2},
	{"registry", subjects.Registry, subjects.RegistryEffects(), trace.Causal, 2, 2}, // p comes first
	{"registry", subjects.Registry, subjects.RegistryEffects(), trace.MailboxSerial, 2, 2},
}

// head is the room that declared effects leave on the tests of table 1 of [ASTS] that are counted in a second; those
// without only if that is not more than a second either, else -1.
var head = map[string][2]int{"QSort(5)": {16, 16}, "Fib(5)": {16, 16}, "Fib(7)": {4096, 4096}, "Pi(3)": {6, 6}, "Pi(5)": {120, 120},
	"PSort(4,1)": {288, 288}, "PSort(4,2)": {5760, 288}, "RegSim(6,1)": {10080, 720}, "RegSim(4,2)": {11520, 384}, "DHT(a)": {1152, 36}, "BB(3,1)": {-1, 4320}}

func TestDeclaredSubjects(t *testing.T) {
	programs := declared[:len(declared):len(declared)]
	for _, s := range subjects.SelectedTests() {
		if n, ok := head[s.Name]; ok {
			programs = append(programs, declaredProgram{s.Name, s.System, s.Effects, trace.Bag, n[0], n[1]})
		}
	}
	for _, tt := range programs {
		for _, strategy := range []func() explore.Strategy{newSource, newOptimal, newReverse} {
			for _, effects := range []trace.Effects{nil, tt.effects} {
				s := strategy()
				want := tt.without
				if effects != nil {
					want = tt.with
				} else if want < 0 || want > 2000 && os.Getenv("REHEARSE_TOY") == "" {
					continue // the large ones without effects only there
				}
				out, err := explore.Run(tt.make(), s, explore.Options{Conditions: explore.Conditions{Model: tt.model, Effects: effects, Copy: true}})
				if err != nil {
					t.Fatalf("%s: %v", tt.name, err)
				}
				if out.Executions != want || out.Blocked > 0 && s.Name() != "source" || !out.Complete {
					t.Errorf("%s of %s under %s, %d effects: %d executions and %d blocked, want %d", s.Name(), tt.name, tt.model, len(effects), out.Executions, out.Blocked, want)
				}
			}
		}
	}
}
