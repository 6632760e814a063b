package savina_test

import (
	"fmt"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/savina/sieve"
)

func sifted(c sieve.Config) version {
	return version{
		name: "as published", size: fmt.Sprintf("primes below %d, %d a filter", c.Limit, c.Room),
		naive: true, uncounted: withReleases, config: allStop, budget: "200x",
		native:     onNative(c, sieve.NewNative),
		protoactor: onProtoactor(c, sieve.New),
		finds:      everywhere(wrongTotal, rehearse.Bag),
	}
}

// wrongTotal is what comes of it where one number, or the exit, may overtake another.
var wrongTotal = rehearse.Expectation{Kind: rehearse.Assertion, Text: "want 5 once"}

var sieveOfFilters = program{
	number: 18, name: "sieve",
	versions: []version{sifted(sieve.Small), sifted(sieve.Config{Limit: 12, Room: 1})},
	sizes:    []config{sieve.Small, sieve.Published},
	refused:  []config{sieve.Config{Limit: 2, Room: 1}, sieve.Config{Limit: 3}},
}
