package savina_test

import (
	"fmt"

	"github.com/rehearse-go/rehearse/savina/fib"
)

func tree(c fib.Config) version {
	return version{
		name: "as published", size: fmt.Sprintf("number %d", c.N), naive: c.N < 5, uncounted: withReleases,
		config:     allStop,
		native:     onNative(c, fib.NewNative),
		protoactor: onProtoactor(c, fib.New),
	}
}

var fibonacci = program{
	number: 30, name: "fib",
	versions: []version{tree(fib.Config{N: 4}), tree(fib.Small), tree(fib.Config{N: 6})},
	sizes:    []config{fib.Small, fib.Published},
	refused:  []config{fib.Config{}, fib.Config{N: 91}},
}
