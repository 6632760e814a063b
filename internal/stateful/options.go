package stateful

import (
	"errors"
	"fmt"
	"strings"
)

// Options are the variants of the search. The zero value is the default.
type Options struct {
	Comparison Comparison
	Breadth    bool // breadth first instead of depth first
	Persistent bool // with persistent sets: only as many steps are taken from a state as nothing else depends on
	Sleep      bool // with sleep sets: not every step is taken from every state
	Big        bool // steps that are the only possible ones are taken together with what follows them
}

// words are the options as they follow the name, each after a slash: stateful/generic/bfs.
var words = []struct {
	word string
	set  func(*Options)
}{
	{"generic", func(o *Options) {
		if o.Comparison == Literal {
			o.Comparison = LiteralGeneric
			return
		}
		o.Comparison = Generic
	}},
	{"literal", func(o *Options) {
		if o.Comparison == Generic {
			o.Comparison = LiteralGeneric
			return
		}
		o.Comparison = Literal
	}},
	{"persistent", func(o *Options) { o.Persistent = true }},
	{"sleep", func(o *Options) { o.Sleep = true }},
	{"bfs", func(o *Options) { o.Breadth = true }},
	{"big", func(o *Options) { o.Big = true }},
}

// Words lists the options that Parse knows.
func Words() []string {
	var all []string
	for _, w := range words {
		all = append(all, w.word)
	}
	return all
}

// Parse reads options, separated by slashes; "" are the defaults.
func Parse(s string) (Options, error) {
	var o Options
	if s == "" {
		return o, nil
	}
next:
	for part := range strings.SplitSeq(s, "/") {
		for _, w := range words {
			if w.word == part {
				w.set(&o)
				continue next
			}
		}
		return o, fmt.Errorf("unknown option %q: want some of %s, as in stateful/generic/bfs", part,
			strings.Join(Words(), ", "))
	}
	if (o.Sleep || o.Persistent) && o.Breadth {
		return o, errors.New("sleep or persistent, and bfs: these sets are for depth first only; leave one out")
	}
	return o, nil
}

// String is what Parse reads.
func (o Options) String() string {
	var s []string
	if o.Comparison != Actors {
		s = append(s, o.Comparison.String())
	}
	if o.Persistent {
		s = append(s, "persistent")
	}
	if o.Sleep {
		s = append(s, "sleep")
	}
	if o.Breadth {
		s = append(s, "bfs")
	}
	if o.Big {
		s = append(s, "big")
	}
	return strings.Join(s, "/")
}
