package cases

import "context"

// ReachAgain looks for the ways to the failures of a suite in another context.
func (p *Program) ReachAgain(ctx context.Context, s *Suite) { p.reach(ctx, s.Cases, nil, s.Config) }

// Commented is commented.
var Commented = commented

// FormOf gives the lines of one label.
func FormOf(label, text string) []string {
	f := &form{}
	f.add(label, text)
	return f.lines
}
