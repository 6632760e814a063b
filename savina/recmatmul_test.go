package savina_test

import (
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/recmatmul"
)

func product(v version, c recmatmul.Config) version {
	v.size = "2 workers, 2 x 2 elements, 9 products"
	c.Workers, c.Size, c.Threshold = recmatmul.Small.Workers, recmatmul.Small.Size, recmatmul.Small.Threshold
	v.config.Environment = rehearse.Empty
	v.native, v.protoactor = onNative(c, recmatmul.NewNative), onProtoactor(c, recmatmul.New)
	return v
}

// doneEarly is the early end, where a product is done before those that it led to are known.
var doneEarly = rehearse.Expectation{Kind: rehearse.Assertion, Text: "of the product is"}

// sharing is a version whose workers write into one matrix. Who stays apart in it by routing is not seen, nor is the
// update that is lost where nobody does: no handler is interrupted.
func sharing(name string, c recmatmul.Config) version {
	c.Shared = true
	return product(version{name: name, shares: true, budget: "20x", config: rehearse.Config{Recheck: 1}}, c)
}

var recMatMul = program{
	number: 23, name: "recmatmul",
	versions: []version{
		sharing("as published", recmatmul.Config{}),
		sharing("mutant: round robin", recmatmul.Config{RoundRobin: true}),
		product(version{name: "the master adds", strategy: "auto", budget: "200x",
			finds: everywhere(doneEarly, rehearse.Bag)}, recmatmul.Config{}),
		product(version{name: "the master adds, repaired", strategy: "auto", budget: "200x"},
			recmatmul.Config{Repaired: true}),
	},
	sizes: []config{recmatmul.Small, recmatmul.Published},
	refused: []config{
		recmatmul.Config{Size: 1, Threshold: 1}, recmatmul.Config{Workers: 1, Threshold: 1},
		recmatmul.Config{Workers: 1, Size: 1}, recmatmul.Config{Workers: 1, Size: 3, Threshold: 1},
	},
}
