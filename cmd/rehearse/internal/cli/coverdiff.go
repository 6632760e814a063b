package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/profile"
)

// change is a pair of which two profiles say something else.
type change struct {
	pair     profile.Pair // as it is now, or was
	from, to string       // standings; absent: the profile does not have the pair
}

const absent = "-"

// unordered is a pair by its types alone: which one came first is what may change.
type unordered struct{ actor, a, b string }

func index(c *coverage) map[unordered]profile.Pair {
	m := map[unordered]profile.Pair{}
	for i := range c.actors {
		for _, p := range c.actors[i].Pairs {
			m[unordered{c.actors[i].Type, min(p.First, p.Second), max(p.First, p.Second)}] = p
		}
	}
	return m
}

// changes lists the pairs of each actor type that differ.
func changes(older, newer *coverage) (byActor map[string][]change) {
	was, is := index(older), index(newer)
	byActor = map[string][]change{}
	all := maps.Clone(was)
	maps.Copy(all, is)
	for k, p := range all {
		c := change{pair: p, from: absent, to: absent}
		o, before := was[k]
		if before {
			c.from = o.Standing.String()
		}
		n, now := is[k]
		if now {
			c.to = n.Standing.String()
		}
		turned := before && now && o.First != n.First && o.Standing == n.Standing // seen the other way only
		if turned {
			c.from += " (" + o.First + " first)"
		}
		if c.from != c.to {
			byActor[k.actor] = append(byActor[k.actor], c)
		}
	}
	for _, cs := range byActor {
		slices.SortFunc(cs, func(x, y change) int {
			return strings.Compare(x.to+"\x00"+x.pair.First+"\x00"+x.pair.Second, y.to+"\x00"+y.pair.First+"\x00"+y.pair.Second)
		})
	}
	return byActor
}

// tally counts changes: covered now and not before, lost, new pairs, pairs that are gone.
func tally(byActor map[string][]change) (covered, lost, fresh, gone int) {
	both := profile.Both.String()
	for _, cs := range byActor {
		for _, c := range cs {
			switch {
			case c.from == absent:
				fresh++
			case c.to == absent:
				gone++
			case c.from == both:
				lost++
			}
			if c.to == both {
				covered++
			}
		}
	}
	return covered, lost, fresh, gone
}

// showDiff prints what changed.
func (c *coverRun) showDiff(w io.Writer, older, newer coverage, gone stale) error {
	byActor := changes(&older, &newer)
	if c.json {
		return writeOne(w, diffJSON{Version: 1, Old: older.json(), New: newer.json(), Changed: changesJSON(byActor),
			Stale: gone.json()})
	}
	counts := map[string][2]profile.Count{}
	for side, v := range []*coverage{&older, &newer} {
		for i := range v.actors {
			n := counts[v.actors[i].Type]
			n[side] = v.actors[i].Count()
			counts[v.actors[i].Type] = n
		}
	}
	var b strings.Builder
	for _, actor := range slices.Sorted(maps.Keys(byActor)) {
		n := counts[actor]
		fmt.Fprintf(&b, "%s  %s -> %s\n", actor, share(&n[0]), share(&n[1]))
		for _, x := range byActor[actor] {
			fmt.Fprintf(&b, "  %-10s -> %-10s  %s\n", x.from, x.to, pairText(&x.pair))
		}
	}
	b.WriteString(gone.text())
	o, n := older.total(), newer.total()
	covered, lost, fresh, away := tally(byActor)
	fmt.Fprintf(&b, "total  %s -> %s: %d of %d -> %d of %d pairs in both orders; %d covered, %d lost; %d new, %d gone\n",
		share(&o), share(&n),
		o[profile.Both], o.Total(), n[profile.Both], n.Total(), covered, lost, fresh, away)
	_, err := io.WriteString(w, b.String())
	return err
}

// diffJSON is the JSON of `rehearse cover -diff`: one object.
type diffJSON struct {
	Version int          `json:"version"`
	Old     sideJSON     `json:"old"`
	New     sideJSON     `json:"new"`
	Changed []changeJSON `json:"changed"`
	Stale   staleJSON    `json:"stale"`
}

type changeJSON struct {
	Actor  string `json:"actor"`
	First  string `json:"first"`
	Second string `json:"second"`
	From   string `json:"from"` // "-": not there
	To     string `json:"to"`
}

func changesJSON(byActor map[string][]change) []changeJSON {
	list := []changeJSON{}
	for _, actor := range slices.Sorted(maps.Keys(byActor)) {
		for _, c := range byActor[actor] {
			list = append(list, changeJSON{actor, c.pair.First, c.pair.Second, c.from, c.to})
		}
	}
	return list
}
