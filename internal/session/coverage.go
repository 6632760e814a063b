package session

import (
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/trace"
)

// coverage collects which orders executions show. The zero value collects none.
type coverage struct {
	file       string                             // to merge it into; "": none
	collectors map[trace.Model]*profile.Collector // nil: off
}

func coverageFor(file string, count bool) coverage {
	if file == "" && !count {
		return coverage{}
	}
	return coverage{file, map[trace.Model]*profile.Collector{}}
}

// observe notes which orders an execution, or the beginning of one, shows.
func (o *coverage) observe(tr *trace.Trace, m trace.Model) {
	if o.collectors == nil {
		return
	}
	c := o.collectors[m]
	if c == nil {
		c = profile.NewCollector(m)
		o.collectors[m] = c
	}
	c.Observe(tr)
}

// isNew reports whether there is something that was not written yet.
func (o *coverage) isNew() bool {
	for _, c := range o.collectors {
		if c.News() {
			return true
		}
	}
	return false
}

// write merges what was noted into the file.
func (o *coverage) write(of *trace.Header) error {
	if o.file == "" {
		return nil
	}
	return profile.AddToFile(o.file, o.profile(of))
}

// profile is what was noted.
func (o *coverage) profile(of *trace.Header) *profile.Profile {
	p := profile.New()
	for m, c := range o.collectors {
		c.AddTo(p, profile.Test{Package: of.Package, Name: of.Test, Model: m.String()})
	}
	return p
}
