// Package conform is the suite that each adapter runs. An adapter says how its framework does a few things (Stage), and
// what the framework lacks. The suite then holds it to what all adapters promise.
//
//	func TestConform(t *testing.T) {
//		conform.Run(t, conform.Framework{Name: "Hollywood", System: system, Stock: stock, Lacks: lacks})
//	}
//
// The suite links no framework. Hollywood and protoactor-go cannot be in one binary, since both register a protobuf
// message actor.PID.
//
//	stage.go      what an adapter implements, and which abilities there are
//	native.go     native actors, which frameworks are compared with
//	models.go     scripts, executed as often as on native actors, under each delivery model; their counts
//	cases.go      calls, timers, spawns, ends, panics, restarts, dead letters: all that comes of small programs
//	faults.go     injected faults
//	repeat.go     schedules repeated, a program that differs, a finding that is saved, what is left behind
//	program.go    random programs
//	twin.go       these on native actors, by several strategies, and on the framework as it runs by itself
//	bench.go      the rate of executions
package conform

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// Framework is what the suite knows of a framework and its adapter.
type Framework struct {
	Name string
	// System makes a program of the adapter's. It hands the test a Stage of a new actor system, engine or the like.
	System func(test func(*explore.T, Stage)) *adapter.System
	// Stock starts the framework by itself, without the adapter. end stops it, and is called in the same bubble.
	Stock func() (test Stage, end func())
	// Lacks are the abilities that the framework has not, each with its reason. Any other is tested.
	Lacks []Lack
	// Differs are the parts in which what comes out is not what the suite says, each with its reason.
	Differs []Difference
	// Slow says that an execution takes a millisecond or more. Fewer random programs are played by default.
	Slow bool
}

// Lack is an ability that a framework has not: its Stage has no such method.
type Lack struct {
	Ability Ability
	Why     string // for people
}

// Difference is what comes out of a part instead. The suite wants that then, and that it is still a difference.
type Difference struct {
	Part    string         // the name of the subtest, as in "Cases/Watch"
	Why     string         // for people
	Want    []string       // of a case: the journals over all schedules; nil: those of the suite
	Omitted string         // of a case: part of what the result says is not explored, "" if it says nothing
	Silent  bool           // of a case: nothing is found
	Counts  map[string]int // of a part of Faults: the executions by their journals
}

// difference gives that of the subtest that runs, nil if there is none. Of a script there is nothing but the reason.
// Its orders are compared then, and not how many executions and classes it has.
func (f *Framework) difference(t *testing.T) *Difference {
	t.Helper()
	_, part, _ := strings.Cut(t.Name(), "/")
	i := slices.IndexFunc(f.Differs, func(d Difference) bool { return d.Part == part })
	if i < 0 {
		return nil
	}
	if f.Differs[i].Why == "" {
		t.Errorf("no reason is given for the difference")
	}
	t.Logf("%s differs: %s", f.Name, f.Differs[i].Why)
	f.Differs[i].Part = "" // it was met
	return &f.Differs[i]
}

// has reports whether the framework has an ability; "" needs none.
func (f *Framework) has(a Ability) bool {
	return !slices.ContainsFunc(f.Lacks, func(l Lack) bool { return l.Ability == a })
}

// Run holds an adapter to what all of them promise. With REHEARSE_TOY=n it takes longer, and n times as many random
// programs. REHEARSE_TOY=30 plays over 500 on the framework by itself.
func Run(t *testing.T, f Framework) {
	f.Differs = slices.Clone(f.Differs)
	t.Run("Lacks", f.testLacks)
	t.Run("Models", f.testModels)
	t.Run("Cases", f.testCases)
	t.Run("Faults", f.testFaults)
	t.Run("RandomFaults", f.testRandomFaults)
	t.Run("FaultsFind", f.testFaultsFind)
	t.Run("Repetitions", f.testRepetitions)
	t.Run("ThousandRepetitions", f.testThousand)
	t.Run("Wide", f.testWide)
	t.Run("Divergence", f.testDivergence)
	t.Run("Finding", f.testFinding)
	t.Run("NothingIsLeft", f.testNothingIsLeft)
	t.Run("NativeAgrees", f.testNative)
	t.Run("StrategiesAgree", f.testStrategies)
	t.Run("PlainIsExplored", func(t *testing.T) { f.testPlain(t, kinds) })
	if f.has(Drain) {
		t.Run("PlainDrainsAreExplored", func(t *testing.T) { f.testPlain(t, drains) })
	}
	t.Run("Differs", f.testDiffers)
}

// Each difference is one of a part that there is. It is only known where all parts ran.
func (f *Framework) testDiffers(t *testing.T) {
	if testing.Short() || flag.Lookup("test.run").Value.String() != "" {
		return
	}
	for _, d := range f.Differs {
		if d.Part != "" {
			t.Errorf("there is no part %s, or the framework does not differ there", d.Part)
		}
	}
}

// What a framework is said to lack it does not offer. What it is not said to lack it offers.
func (f *Framework) testLacks(t *testing.T) {
	var stage Stage
	f.once(t, func(_ *explore.T, s Stage) { stage = s })
	for _, a := range []Ability{Halt, Drain, Watch, Forward, After, Restart} {
		i := slices.IndexFunc(f.Lacks, func(l Lack) bool { return l.Ability == a })
		has := a == Restart && f.restarts(t) || offers(stage, a)
		switch {
		case i < 0 && !has:
			t.Errorf("%T does not offer %s, and the framework is not said to lack it: say so in Lacks, and why", stage, a)
		case i >= 0 && f.Lacks[i].Why == "":
			t.Errorf("no reason is given why the framework lacks %s", a)
		case i >= 0 && has:
			t.Errorf("the framework is said to lack %s, and %T has it", a, stage)
		case i >= 0:
			t.Logf("%s lacks %s: %s", f.Name, a, f.Lacks[i].Why)
		}
	}
}

// restarts reports whether an actor that has panicked gets another instance.
func (f *Framework) restarts(t *testing.T) bool {
	made := 0
	f.once(t, func(_ *explore.T, s Stage) {
		made = 0
		s.Tell(s.Spawn("a", func() Actor {
			made++
			return on(func(Stage) { panic("boom") })
		}), tick{})
	})
	return made > 1
}

// once executes a program, unjudged.
func (f *Framework) once(t *testing.T, test func(*explore.T, Stage)) {
	t.Helper()
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox}, Budget: explore.Budget{Executions: 1}}
	if _, err := explore.Run(f.System(test), sample.NewRandom(1), o); err != nil {
		t.Fatal(err)
	}
}
