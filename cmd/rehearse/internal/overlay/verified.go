package overlay

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// verified lists the hashes of the patched declarations of the versions on which the tests have passed. Patch releases
// seldom change these declarations, so one hash stands for several. A version is added when the tests of this package
// pass on it.
var verified = map[string][]string{
	"go1.25": {"7b40a29e4d23e022"}, // 1.25.4
	"go1.26": {"083ccdd0c67edcdd"}, // 1.26.8
}

// minor gives the part of a version before the second dot: go1.26 of go1.26.8 and of go1.26rc1.
func minor(version string) string {
	rest, ok := strings.CutPrefix(version, "go1.")
	if !ok {
		return version
	}
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	return "go1." + rest[:n]
}

// supported refuses versions of which nothing is known.
func supported(version string) error {
	if verified[minor(version)] == nil {
		known := slices.Sorted(maps.Keys(verified))
		return fmt.Errorf("%s: not known to this version of Rehearse, which patches %s", version,
			strings.Join(known, " and "))
	}
	return nil
}

// verify refuses declarations that differ from those that were tested.
func verify(version, hash string) error {
	if !slices.Contains(verified[minor(version)], hash) {
		return fmt.Errorf("%s: the functions to patch are not those that were tested (hash %s)", version, hash)
	}
	return nil
}
