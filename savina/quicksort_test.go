package savina_test

import "github.com/rehearse-go/rehearse/savina/quicksort"

var quickSort = program{
	number: 24, name: "quicksort",
	versions: []version{{
		name: "as published", size: "5 elements, threshold 2", naive: true, uncounted: withReleases, config: allStop,
		native:     onNative(quicksort.Small, quicksort.NewNative),
		protoactor: onProtoactor(quicksort.Small, quicksort.New),
	}},
	sizes: []config{quicksort.Small, quicksort.Published},
	refused: []config{
		quicksort.Config{Threshold: 1}, quicksort.Config{Elements: 1},
		quicksort.Config{Elements: 1, Threshold: 1, Values: []int{1, 2}},
	},
}
