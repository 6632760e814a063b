package savina_test

import (
	"slices"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/banking"
)

// bank is a version in each of the three variants.
func bank(v version, c banking.Config, f ...finds) []version {
	var all []version
	for i, name := range []string{"await", "become and stash", "manual stash"} {
		c.Variant = banking.Variant(i)
		w := v
		w.name += ", " + name
		w.config, w.finds = allStop, f[i]
		w.native, w.protoactor = onNative(c, banking.NewNative), onProtoactor(c, banking.New)
		all = append(all, w)
	}
	return all
}

// inCircle is what a transfer back does to accounts that block, allWait what it does to the others. The latter also
// comes of a teller who is never told.
var (
	inCircle = everywhere(rehearse.Expectation{Kind: rehearse.Deadlock}, models...)
	allWait  = everywhere(rehearse.Expectation{Kind: rehearse.Environment, Text: "has not stopped"}, models...)
)

// overdrawn depends on the order.
var overdrawn = everywhere(rehearse.Expectation{Kind: rehearse.Assertion, Text: "was overdrawn"}, models...)

var neverTold = banking.Config{
	Accounts: 3, Balance: 100, Transfers: []banking.Transfer{{From: 0, To: 1, Amount: 5}}, NeverTold: true,
}

var bankOf = program{
	number: 15, name: "banking",
	versions: slices.Concat(
		bank(version{name: "as published", size: "3 accounts, 3 transfers", naive: true, uncounted: allButSerial},
			banking.Small, nil, nil, nil),
		bank(version{name: "transfer back", size: "3 accounts, 3 transfers"}, banking.Cyclic, inCircle, allWait, allWait),
		bank(version{name: "covered", size: "3 accounts, 2 transfers"}, banking.Overdrawn, overdrawn, overdrawn, overdrawn),
		bank(version{name: "teller never told", size: "3 accounts, 1 transfer"}, neverTold, allWait, allWait, allWait),
	),
	sizes: []config{banking.Small, banking.Cyclic, banking.Overdrawn, banking.Published},
	refused: []config{
		banking.Config{}, banking.Config{Accounts: 9, Drawn: 1},
		banking.Config{Accounts: 10, Drawn: 1, Transfers: banking.Small.Transfers},
		banking.Config{Accounts: 2, Transfers: banking.Small.Transfers},
		banking.Config{Accounts: 2, Transfers: []banking.Transfer{{From: 1, To: 1, Amount: 1}}},
		banking.Config{Accounts: 2, Transfers: []banking.Transfer{{From: 0, To: 1}}},
		banking.Config{Accounts: 1, Variant: banking.ManualStash + 1},
	},
}
