package vet

import (
	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/static/vet/internal/share"
)

// Shared reports memory that two actors are given when they are made, and that a handler of one of them changes.
var Shared = check("shared", "report memory that two actors are made with and that one of them changes: its order is not that of messages",
	func(pass *analysis.Pass, tell report) error {
		w := pass.ResultOf[share.Analyzer].(*share.World)
		if w.Bodies == nil {
			return nil
		}
		for _, f := range w.Code.Funcs {
			for _, s := range w.Bodies[f].Shared() {
				if s.First.At == s.Second.At {
					tell(s.First.At.Pos(), "all actors that are spawned here share %s, which they change; give each its own, or let one actor have it", called(s.Memory))
				} else {
					line := pass.Fset.Position(s.Second.At.Pos()).Line
					tell(s.First.At.Pos(), "this actor changes %s, which the actor spawned on line %d has too; let one actor have it and ask it by messages", called(s.Memory), line)
				}
			}
		}
		return nil
	}, share.Analyzer)
