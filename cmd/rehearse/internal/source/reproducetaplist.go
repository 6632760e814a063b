package source

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// listTAP prints the targets, with the type of actor whose code each is, and beside them which implicit panics cannot
// happen.
func listTAP(s cli.Streams, projects []*tapProject) error {
	all := map[string]panicCount{}
	for _, p := range projects {
		for _, t := range p.targets {
			if _, err := fmt.Fprintf(s.Out, "%s\t%s\n", nameOf(t), t.Actor); err != nil {
				return err
			}
		}
		for _, kinds := range countPanics(p.lister) {
			for kind, c := range kinds {
				all[kind] = all[kind].plus(c)
			}
		}
		if why := p.lister.Without(); why != "" {
			fmt.Fprintln(s.Err, withoutFacts(why))
		}
		p.close()
	}
	tellPanics(s.Err, all)
	return nil
}

// withoutFacts says that no implicit panic is excluded by what the whole program shows.
func withoutFacts(why string) string {
	return "nothing is known of the program as a whole, so no panic is infeasible for that: " + why
}

// panicCount counts places at which actors may panic implicitly, and checks of which no place is made.
type panicCount struct {
	alone    int // checks that their function alone shows not to fail: they are no targets
	excluded int // targets that the whole program shows to be infeasible, without a search
	targets  int
}

func (c panicCount) plus(d panicCount) panicCount {
	return panicCount{c.alone + d.alone, c.excluded + d.excluded, c.targets + d.targets}
}

// countPanics counts by the path of the package and the kind of panic.
func countPanics(l *target.Lister) map[string]map[string]panicCount {
	counts := map[string]map[string]panicCount{}
	add := func(path, kind string, c panicCount) {
		if counts[path] == nil {
			counts[path] = map[string]panicCount{}
		}
		counts[path][kind] = counts[path][kind].plus(c)
	}
	for path, kinds := range l.Shown() {
		for kind, n := range kinds {
			add(path, kind, panicCount{alone: n})
		}
	}
	for _, t := range l.Panics() {
		c := panicCount{targets: 1}
		if t.Impossible != "" {
			c.excluded = 1
		}
		add(t.Block.Parent().Package().Pkg.Path(), t.Kind, c)
	}
	return counts
}

// tellPanics says what static facts exclude, of all targets and not of a sample alone.
func tellPanics(w io.Writer, all map[string]panicCount) {
	var sum panicCount
	var excluded, alone []string
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		c := all[kind]
		sum = sum.plus(c)
		if c.excluded > 0 {
			excluded = append(excluded, fmt.Sprintf("%s %d", kind, c.excluded))
		}
		if c.alone > 0 {
			alone = append(alone, fmt.Sprintf("%s %d", kind, c.alone))
		}
	}
	fmt.Fprintf(w, "of %d implicit panics the whole program excludes %d: %s\n", sum.targets, sum.excluded,
		strings.Join(excluded, ", "))
	fmt.Fprintf(w, "their function alone excludes %d checks more, which are no targets: %s\n", sum.alone,
		strings.Join(alone, ", "))
}
