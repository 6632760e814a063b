package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/philosopher"
)

func table(v version, c philosopher.Config) version {
	v.native, v.protoactor = onNative(c, philosopher.NewNative), onProtoactor(c, philosopher.New)
	return v
}

// boundedSteps is for programs in which an actor may ask again for ever. All of its actors stop else.
var boundedSteps = rehearse.Config{Environment: rehearse.Empty, MaxSteps: 60}

// denied is a hazard: nothing bounds how often a philosopher is denied.
var denied = rehearse.Expectation{Kind: rehearse.Livelock}

// lateDone is the other: in the model bag the arbitrator has stopped when the last forks come back.
var lateDone = rehearse.Expectation{Kind: rehearse.Assertion, Text: "is taken in the end"}

// deniedOrLate is what is found first.
var deniedOrLate = finds{
	rehearse.Bag: lateDone, rehearse.FIFO: denied, rehearse.Causal: denied,
	rehearse.Mailbox: denied, rehearse.MailboxSerial: denied,
}

// misplaced is what becomes of the forks in the mutant.
var misplaced = rehearse.Expectation{Kind: rehearse.Assertion, Text: "is taken in the end"}

var diners = program{
	number: 11, name: "philosopher",
	versions: []version{
		table(version{
			name: "as published", size: "2 philosophers, 1 round, at most 60 steps", finds: deniedOrLate, budget: "150x",
			config: boundedSteps, beside: []rehearse.Expectation{denied},
		}, philosopher.Small),
		table(version{
			name: "as published, every state", size: "2 philosophers, 1 round", strategy: "stateful/bfs",
			finds: everywhere(lateDone, rehearse.Bag), config: boundedSteps,
		}, philosopher.Small),
		table(version{
			name: "repaired", size: "2 philosophers, 1 round", config: allStop, naive: true, uncounted: withReleases,
		}, philosopher.Config{Philosophers: 2, Rounds: 1, Repaired: true}),
		table(version{
			name: "fork put back in the wrong place", size: "3 philosophers, 1 round", strategy: "default", config: boundedSteps,
			finds: everywhere(misplaced, models...),
		}, philosopher.Config{Philosophers: 3, Rounds: 1, Misplaced: true}),
	},
	sizes:   []config{philosopher.Small, philosopher.Published},
	refused: []config{philosopher.Config{Philosophers: 1, Rounds: 1}, philosopher.Config{Philosophers: 2}},
}
