package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/apsp"
)

func paths(v version, c apsp.Config) version {
	v.config, v.strategy, v.budget = deadLettersEnd, "auto", "20x"
	v.native, v.protoactor = onNative(c, apsp.NewNative), onProtoactor(c, apsp.New)
	return v
}

// unmet is the hazard. Beside it a block waits that began before it knew its neighbours.
var (
	unmet        = rehearse.Expectation{Kind: rehearse.Panic, Text: "a result came before the neighbours"}
	waitsForEver = rehearse.Expectation{Kind: rehearse.Assertion, Text: "has not stopped after round"}
	notShortest  = rehearse.Expectation{Kind: rehearse.Assertion, Text: "the distance from"}
)

// mixed is what comes of mixed rounds in a graph with a path from a node to itself that is shorter than 0.
var mixed = finds{
	rehearse.Bag: unmet, rehearse.FIFO: unmet,
	rehearse.Causal: notShortest, rehearse.Mailbox: notShortest, rehearse.MailboxSerial: notShortest,
}

var (
	repairedPaths = apsp.Config{Nodes: 2, Block: 1, Weights: apsp.Small.Weights, Repaired: true}
	checkedPaths  = apsp.Config{Nodes: 2, Block: 1, Weights: apsp.Small.Weights, Checked: true}
	own           = apsp.Config{Nodes: 2, Block: 1, Weights: [][]int{{-1, 3}, {1, 0}}}
	repairedOwn   = apsp.Config{Nodes: 2, Block: 1, Weights: own.Weights, Repaired: true}
)

var shortestPaths = program{
	number: 25, name: "apsp",
	versions: []version{
		paths(version{name: "as published", size: "2 nodes, 4 blocks",
			finds:  everywhere(unmet, rehearse.Bag, rehearse.FIFO),
			beside: []rehearse.Expectation{waitsForEver}}, apsp.Small),
		paths(version{name: "repaired", size: "2 nodes, 4 blocks"}, repairedPaths),
		paths(version{name: "mutant: other rounds are dropped", size: "2 nodes, 4 blocks",
			finds: everywhere(waitsForEver, models...), beside: []rehearse.Expectation{unmet}}, checkedPaths),
		paths(version{name: "negative loop", size: "2 nodes, 4 blocks",
			finds: mixed, beside: []rehearse.Expectation{waitsForEver, notShortest}}, own),
		paths(version{name: "negative loop, repaired", size: "2 nodes, 4 blocks"}, repairedOwn),
	},
	sizes: []config{apsp.Small, apsp.Published},
	refused: []config{
		apsp.Config{}, apsp.Config{Nodes: 2, Block: 2, MaxWeight: 1}, apsp.Config{Nodes: 3, Block: 2, MaxWeight: 1},
		apsp.Config{Nodes: 2, Block: 1}, apsp.Config{Nodes: 2, Block: 1, Weights: [][]int{{0, 1}}},
		apsp.Config{Nodes: 2, Block: 1, Weights: [][]int{{0}, {0}}},
	},
}
