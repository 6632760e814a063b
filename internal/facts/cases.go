package facts

import "github.com/rehearse-go/rehearse/trace"

// Cases gives what the actors of protoactor-go have cases for.
func (f *File) Cases() trace.Cases {
	all := trace.Cases{}
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Framework == Protoactor {
			all[a.Name] = trace.Matched{Types: a.Cases, Ignored: a.Ignored, Ignores: a.Ignores, Unclear: a.Unclear}
		}
	}
	return all
}
