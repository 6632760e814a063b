package cases

import "context"

// ReachAgain looks for the ways to the failures of a suite in another context.
func (p *Program) ReachAgain(ctx context.Context, s *Suite) { p.reach(ctx, s.Cases, nil, s.Config) }
