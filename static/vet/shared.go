package vet

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/static/vet/internal/share"
)

// Shared reports memory that two actors are given when they are made. A handler of one of them changes it, and a
// handler of the other one changes or reads it. What the other one hands to code that is not seen it may read, which is
// said.
var Shared = check("shared", "report memory that two actors are made with, that one changes and the other reads or changes: their order is not that of messages",
	func(pass *analysis.Pass, tell report) error {
		w := pass.ResultOf[share.Analyzer].(*share.World)
		for _, b := range w.All {
			for _, s := range b.Shared() {
				tell(s.First.At.Pos(), "%s", sharing(pass, b, s))
			}
		}
		return nil
	}, share.Analyzer)

// sharing tells how two actors use the same memory.
func sharing(pass *analysis.Pass, b *share.Body, s share.Sharing) string {
	at := s.First.At.Pos()
	use := "changes, too"
	switch {
	case s.Perhaps:
		use = "may read: it hands it to code that is not seen here"
	case s.Reads:
		use = "reads"
	}
	changed, used := near(pass, at, s.Changed), near(pass, at, s.Used)
	if s.First.At == s.Second.At {
		return fmt.Sprintf("all actors that are spawned here share %s, which each of them changes (%s) and %s (%s); give each its own, or let one actor have it",
			called(b, s.Memory), changed, use, used)
	}
	return fmt.Sprintf("this actor changes %s (%s), which the actor spawned on line %d %s (%s); let one actor have it and ask it by messages",
		called(b, s.Memory), changed, pass.Fset.Position(s.Second.At.Pos()).Line, use, used)
}
