package savina_test

import (
	"cmp"

	"github.com/rehearse-go/rehearse"
	native "github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/savina/uct"
)

func grown(v version, c uct.Config) version {
	v.config, v.budget = deadLettersEnd, cmp.Or(v.budget, "135x")
	v.native, v.protoactor = onNative(c, uct.NewNative), onProtoactor(c, uct.New)
	return v
}

// tossed is a version in which coins are choices of the exploration.
func tossed(v version, c uct.Config) version {
	v.config, v.budget = deadLettersEnd, cmp.Or(v.budget, "135x")
	v.native = native.New(func(t *rehearse.T, ctx *native.Context) {
		c := c
		c.Choose = t.Choose
		var tree *uct.NativeTree
		t.SetUp(func() { tree = must(uct.NewNative(ctx, c)) })
		tree.Start(ctx)
		t.AtEnd(func() { judge(t, tree.Check()) })
	})
	v.protoactor = protoactor.System(func(t *rehearse.T) {
		c := c
		c.Choose = t.Choose
		var tree *uct.Tree
		t.SetUp(func() { tree = must(uct.New(protoactor.NewActorSystem(), c)) })
		tree.Start()
		t.AtEnd(func() { judge(t, tree.Check()) })
	})
	return v
}

// neverCreated is the hazard of order, neverEnded that of the coins.
var (
	neverCreated = rehearse.Expectation{Kind: rehearse.Assertion, Text: "were created of the"}
	neverEnded   = rehearse.Expectation{Kind: rehearse.Assertion, Text: "nobody ends the tree"}
)

// badCoins is what is found first by model.
var badCoins = finds{
	rehearse.Bag: neverCreated, rehearse.FIFO: neverEnded, rehearse.Causal: neverEnded,
	rehearse.Mailbox: neverEnded, rehearse.MailboxSerial: neverEnded,
}

var unbalanced = program{
	number: 19, name: "uct",
	versions: []version{
		grown(version{name: "as published", size: "2 children, at most 5 nodes",
			finds: everywhere(neverCreated, rehearse.Bag)},
			uct.Config{Children: 2, Nodes: 5, Choose: uct.Small.Choose}),
		grown(version{name: "as published", size: "2 children, at most 7 nodes", strategy: "auto", budget: "60x",
			finds: everywhere(neverCreated, rehearse.Bag, rehearse.FIFO)}, uct.Small),
		grown(version{name: "repaired", size: "2 children, at most 7 nodes", strategy: "auto", budget: "20x"},
			uct.Config{Children: 2, Nodes: 7, Choose: uct.Small.Choose, Repaired: true}),
		tossed(version{name: "as published, all coins", size: "2 children, at most 5 nodes",

			finds: badCoins, beside: []rehearse.Expectation{neverEnded}}, uct.Config{Children: 2, Nodes: 5}),
		tossed(version{name: "repaired, all coins", size: "2 children, at most 5 nodes"},
			uct.Config{Children: 2, Nodes: 5, Repaired: true}),
	},
	sizes: []config{uct.Small, uct.Published},
	refused: []config{
		uct.Config{}, uct.Config{Children: 2, Nodes: 2}, uct.Config{Children: 1, Nodes: 2, Cost: -1},
	},
}
