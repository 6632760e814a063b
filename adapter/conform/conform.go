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
	"os"
	"slices"
	"strconv"
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
}

// Lack is an ability that a framework has not.
type Lack struct {
	Ability Ability
	Why     string // for people
	// Refused is a part of the error with which an exploration ends that uses it. Where it is "" the Stage has no such
	// method.
	Refused string
}

// has reports whether the framework has an ability; "" needs none.
func (f *Framework) has(a Ability) bool {
	return !slices.ContainsFunc(f.Lacks, func(l Lack) bool { return l.Ability == a })
}

// Run holds an adapter to what all of them promise. With REHEARSE_TOY=n it takes longer, and n times as many random
// programs. REHEARSE_TOY=30 plays over 500 on the framework by itself.
func Run(t *testing.T, f Framework) {
	t.Run("Lacks", f.testLacks)
	t.Run("Models", f.testModels)
	t.Run("Cases", f.testCases)
	t.Run("Faults", f.testFaults)
	t.Run("RandomFaults", f.testRandomFaults)
	t.Run("FaultsFind", f.testFaultsFind)
	t.Run("Repetitions", f.testRepetitions)
	t.Run("ThousandRepetitions", f.testThousand)
	t.Run("Divergence", f.testDivergence)
	t.Run("Finding", f.testFinding)
	t.Run("NothingIsLeft", f.testNothingIsLeft)
	t.Run("NativeAgrees", f.testNative)
	t.Run("StrategiesAgree", f.testStrategies)
	t.Run("PlainIsExplored", func(t *testing.T) { f.testPlain(t, kinds) })
	if f.has(Drain) {
		t.Run("PlainDrainsAreExplored", func(t *testing.T) { f.testPlain(t, drains) })
	}
}

// scale is the variable REHEARSE_TOY, 0 if it is not set.
func scale(t *testing.T) int {
	s := os.Getenv("REHEARSE_TOY")
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("REHEARSE_TOY: %v", err)
	}
	return n
}

// What a framework is said to lack it does not offer, or refuses. What it is not said to lack it offers.
func (f *Framework) testLacks(t *testing.T) {
	var stage Stage
	sys := f.System(func(_ *explore.T, s Stage) { stage = s })
	once := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox}, Budget: explore.Budget{Executions: 1}}
	if _, err := explore.Run(sys, sample.NewRandom(1), once); err != nil {
		t.Fatal(err)
	}
	for _, a := range []Ability{Halt, Drain, Watch, Forward, After} {
		i := slices.IndexFunc(f.Lacks, func(l Lack) bool { return l.Ability == a })
		switch {
		case i < 0 && !offers(stage, a):
			t.Errorf("%T has no method %s, and the framework is not said to lack it: say so in Lacks, with the reason", stage, a)
		case i >= 0 && f.Lacks[i].Why == "":
			t.Errorf("no reason is given why the framework lacks %s", a)
		case i >= 0 && f.Lacks[i].Refused == "" && offers(stage, a):
			t.Errorf("the framework is said to lack %s, and %T has it", a, stage)
		case i >= 0 && f.Lacks[i].Refused != "":
			f.refuses(t, f.Lacks[i])
		}
		if i >= 0 {
			t.Logf("%s lacks %s: %s", f.Name, a, f.Lacks[i].Why)
		}
	}
}

// refuses wants an error of an exploration in which an ability is used.
func (f *Framework) refuses(t *testing.T, l Lack) {
	sys := f.System(func(_ *explore.T, s Stage) {
		other := s.Spawn("other", func() Actor { return Receive(func(Stage, any) {}) })
		one := s.Spawn("one", func() Actor {
			return Receive(func(s Stage, message any) {
				if _, ok := message.(told); ok {
					use(s, l.Ability, other)
				}
			})
		})
		s.Tell(one, told{})
	})
	_, err := explore.Run(sys, sample.NewRandom(1), explore.Options{
		Conditions: explore.Conditions{Model: trace.Mailbox}, Budget: explore.Budget{Executions: 20}})
	if err == nil || !strings.Contains(err.Error(), l.Refused) {
		t.Errorf("using %s, which is lacking, gives the error %v, want one with %q", l.Ability, err, l.Refused)
	}
}

// use does what an ability is for.
func use(s Stage, a Ability, other any) {
	switch a {
	case Halt:
		s.(Halter).Halt(other)
	case Drain:
		s.(Drainer).Drain(other)
	case Watch:
		s.(Watcher).Watch(other)
	case Forward:
		s.(Forwarder).Forward(other)
	case After:
		s.(Timer).After(0, told{})
	}
}
