package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/cigsmok"
)

func smokers(v version, c cigsmok.Config) version {
	v.size, v.config, v.naive = "2 rounds, 2 smokers", allStop, true
	v.native, v.protoactor = onNative(c, cigsmok.NewNative), onProtoactor(c, cigsmok.New)
	return v
}

// startedTwice is what the mutant does: the arbiter has ended when the last Started comes.
var startedTwice = rehearse.Expectation{Kind: rehearse.DeadLetter, Message: "cigsmok.Started"}

// neverSmoked comes under bag: a smoker has to end before it is told to smoke.
var neverSmoked = []rehearse.Expectation{{Kind: rehearse.Assertion, Text: "has smoked 0 times"}}

var cigSmok = program{
	number: 13, name: "cigsmok",
	versions: []version{
		smokers(version{name: "as published"}, cigsmok.Small),
		smokers(version{name: "started twice", finds: everywhere(startedTwice, models...), beside: neverSmoked},
			cigsmok.Config{Rounds: 2, Smokers: 2, Chosen: []int{1, 0}, Twice: true}),
	},
	sizes: []config{cigsmok.Small, cigsmok.Published},
	refused: []config{
		cigsmok.Config{Rounds: 1}, cigsmok.Config{Smokers: 1},
		cigsmok.Config{Rounds: 2, Smokers: 2, Chosen: []int{0}}, cigsmok.Config{Rounds: 1, Smokers: 2, Chosen: []int{2}},
	},
}
