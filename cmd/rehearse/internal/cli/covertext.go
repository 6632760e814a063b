package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/trace"
)

// coverage is what is shown of a profile.
type coverage struct{ actors []profile.Actor }

func (c *coverage) total() (n profile.Count) {
	for i := range c.actors {
		n.Add(c.actors[i].Count())
	}
	return n
}

// share is the percentage, rounded down so that it never looks better than it is.
func share(n *profile.Count) string {
	p, ok := n.Percent()
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%g%%", math.Floor(p*10)/10)
}

// summaryOf says how many pairs there are of each kind.
func summaryOf(n profile.Count) string {
	switch {
	case n.Total() == 0 && n[profile.Impossible] == 0:
		return "no pairs"
	case n.Total() == 0:
		return fmt.Sprintf("%d impossible", n[profile.Impossible])
	}
	text := fmt.Sprintf("%s: %d of %d pairs in both orders", share(&n), n[profile.Both], n.Total())
	for _, s := range []profile.Standing{profile.OneWay, profile.Never, profile.Impossible} {
		if n[s] > 0 {
			text += fmt.Sprintf(", %d %s", n[s], s)
		}
	}
	return text
}

// pairText is a pair for people.
func pairText(p *profile.Pair) string {
	var text string
	switch one := p.First == p.Second; {
	case one && p.Standing == profile.Both:
		text = "two " + p.First
	case one && p.Standing == profile.Impossible:
		text = "two " + p.First + " the other way round"
	case one:
		text = "two " + p.First + ", in one order"
	case p.Standing == profile.OneWay:
		text = p.First + " before " + p.Second
	case p.Standing == profile.Impossible: // the order that cannot be, not the one that was seen
		text = p.Second + " before " + p.First
	default:
		text = p.First + ", " + p.Second
	}
	if p.Changes {
		text += "  (handlers change)"
	}
	return text
}

// show prints the pairs of every actor type.
func (c *coverRun) show(w io.Writer, v coverage, gone stale) error {
	if c.json {
		return writeOne(w, coverJSON{Version: 1, sideJSON: v.json(), Stale: gone.json()})
	}
	var b strings.Builder
	for i := range v.actors {
		a := &v.actors[i]
		fmt.Fprintf(&b, "%s  %s\n", a.Type, summaryOf(a.Count()))
		for j := range a.Pairs {
			fmt.Fprintf(&b, "  %-10s  %s\n", a.Pairs[j].Standing, pairText(&a.Pairs[j]))
		}
	}
	b.WriteString(gone.text())
	fmt.Fprintf(&b, "total  %s\n", summaryOf(v.total()))
	_, err := io.WriteString(w, trace.Visible(b.String()))
	return err
}

// The JSON of `rehearse cover`: one object. What is counted is as in the text.
type coverJSON struct {
	Version int `json:"version"`
	sideJSON
	Stale staleJSON `json:"stale"`
}

type sideJSON struct {
	countJSON
	Actors []actorJSON `json:"actors"`
}

type countJSON struct {
	Percent    *float64 `json:"percent"` // null: there is no pair to see in both orders
	Both       int      `json:"both"`
	OneWay     int      `json:"one_way"`
	Never      int      `json:"never"`
	Impossible int      `json:"impossible"`
}

type actorJSON struct {
	Type string `json:"type"`
	countJSON
	Pairs []pairJSON `json:"pairs"`
}

type pairJSON struct {
	Standing string `json:"standing"`
	First    string `json:"first"`
	Second   string `json:"second"`
	Changes  bool   `json:"changes,omitempty"` // handlers
}

func (c *coverage) json() sideJSON {
	out := sideJSON{countJSON: countOf(c.total()), Actors: []actorJSON{}}
	for i := range c.actors {
		a := &c.actors[i]
		x := actorJSON{Type: a.Type, countJSON: countOf(a.Count()), Pairs: []pairJSON{}}
		for _, p := range a.Pairs {
			x.Pairs = append(x.Pairs, pairJSON{p.Standing.String(), p.First, p.Second, p.Changes})
		}
		out.Actors = append(out.Actors, x)
	}
	return out
}

func countOf(n profile.Count) countJSON {
	c := countJSON{Both: n[profile.Both], OneWay: n[profile.OneWay], Never: n[profile.Never],
		Impossible: n[profile.Impossible]}
	if p, ok := n.Percent(); ok {
		c.Percent = &p
	}
	return c
}

func writeOne(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
