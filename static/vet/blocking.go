package vet

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/vet/internal/outside"
)

// Blocking reports handlers that wait for an answer without a limit. Waiting with one is left to Cycle: programs do it
// on purpose, and it ends.
var Blocking = check("blocking",
	"report handlers that wait for an answer without a timeout: if it never comes, the actor takes no message again",
	func(pass *analysis.Pass, tell report) error {
		for _, f := range pass.ResultOf[outside.Analyzer].(*outside.Result).Found {
			if f.Kind == model.Waiting {
				hint := "give a timeout (CallTimeout), or do not wait (ReenterAfter, Await)"
				if _, end := f.At.(*ssa.UnOp); end {
					hint = "give a context with a timeout (PoisonCtx), or do not wait"
				}
				tell(f.At.Pos(), "%s in handler %s%s; %s", f.What, f.Handler.Name(), via(f.Path), hint)
			}
		}
		return nil
	}, outside.Analyzer)
