package facts

import "github.com/rehearse-go/rehearse/trace"

// Cases gives what the actors of frameworks have cases for. Native actors say themselves what they do not handle.
func (f *File) Cases() trace.Cases {
	all := trace.Cases{}
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Framework != Native {
			all[a.Name] = trace.Matched{Types: a.Cases, Ignored: a.Ignored, Ignores: a.Ignores, Unclear: a.Unclear}
		}
	}
	return all
}
