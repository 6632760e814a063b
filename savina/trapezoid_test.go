package savina_test

import (
	"math"

	"github.com/rehearse-go/rehearse/savina/trapezoid"
)

var trapezoids = program{
	number: 21, name: "trapezoid",
	versions: []version{{
		name: "as published", size: "master and 3 workers", naive: true, uncounted: withReleases, config: allStop,
		native:     onNative(trapezoid.Small, trapezoid.NewNative),
		protoactor: onProtoactor(trapezoid.Small, trapezoid.New),
	}},
	sizes: []config{trapezoid.Small, trapezoid.Published},
	refused: []config{
		trapezoid.Config{Pieces: 1, Right: 1}, trapezoid.Config{Workers: 2, Pieces: 1, Right: 1},
		trapezoid.Config{Workers: 1, Pieces: 1}, trapezoid.Config{Workers: 1, Pieces: 1, Right: math.NaN()},
		trapezoid.Config{Workers: 1, Pieces: 1, Right: math.Inf(1)},
	},
}
