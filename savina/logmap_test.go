package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/logmap"
)

func logistic(v version, c logmap.Config) version {
	v.size, v.config = "1 series, 2 terms", allStop
	if c.Series == 2 {
		v.size = "2 series, 2 terms"
	}
	if c.Variant == logmap.Await {
		v.beside = noAnswer
	}
	v.native, v.protoactor = onNative(c, logmap.NewNative), onProtoactor(c, logmap.New)
	return v
}

// earlyTerm is a term that is not the worker's last. It is the hazard of all variants in the model bag, where Get may
// overtake Next. It is that of the manual stash where the result may come before Get.
var earlyTerm = rehearse.Expectation{Kind: rehearse.Assertion, Text: "the sum is"}

// noAnswer comes under bag to a worker that waits for it: its computer has been stopped before.
var noAnswer = []rehearse.Expectation{{Kind: rehearse.Deadlock}, {Kind: rehearse.Panic, Text: "dead letter"}}

var logMap = program{
	number: 14, name: "logmap",
	versions: []version{
		logistic(version{name: "await", naive: true, finds: everywhere(earlyTerm, rehearse.Bag)},
			logmap.Config{Series: 1, Terms: 2}),
		logistic(version{name: "await", budget: "80x", finds: everywhere(earlyTerm, rehearse.Bag)},
			logmap.Config{Series: 2, Terms: 2}),
		logistic(version{name: "become and stash", naive: true, finds: everywhere(earlyTerm, rehearse.Bag)},
			logmap.Config{Series: 1, Terms: 2, Variant: logmap.Become}),
		logistic(version{name: "become and stash", budget: "80x", finds: everywhere(earlyTerm, rehearse.Bag)},
			logmap.Config{Series: 2, Terms: 2, Variant: logmap.Become}),
		logistic(version{name: "manual stash", naive: true,
			finds: everywhere(earlyTerm, rehearse.Bag, rehearse.FIFO, rehearse.Causal, rehearse.Mailbox)},
			logmap.Config{Series: 1, Terms: 2, Variant: logmap.ManualStash}),
	},
	sizes: []config{logmap.Small, logmap.Published},
	refused: []config{
		logmap.Config{}, logmap.Config{Series: 1, Terms: -1}, logmap.Config{Series: 1, Variant: logmap.ManualStash + 1},
	},
}
