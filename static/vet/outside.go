package vet

import (
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
	"github.com/rehearse-go/rehearse/static/vet/internal/outside"
	"github.com/rehearse-go/rehearse/static/vet/internal/share"
)

// The checks of what handlers reach beyond their actor, by themselves or through what they call.
var (
	Goroutine = reaches("goroutine", model.Goroutine,
		"report goroutines that handlers start: what they do is in no order with messages",
		"let an actor do it: spawn one and send it a message, or continue with ReenterAfter")
	Lock = reaches("lock", model.Lock,
		"report locks and wait groups in handlers: they order memory that actors share, and may block the actor",
		"give the memory to one actor and ask it by messages")
	Clock = reaches("clock", model.Clock,
		"report the wall clock and sleeping in handlers: the result differs from run to run",
		"let the time come with the message, or have the framework's timer send one")
	Random = reaches("random", model.Random, "report global random numbers in handlers: an execution cannot be repeated",
		"keep a *rand.Rand with a seed in the actor, or let the number come with the message")
	IO = reaches("io", model.IO, "report network and file I/O in handlers: it blocks the actor, and its results are no messages",
		"do it behind an actor of its own that a test can replace, and let the result come as a message")
	Channel = reaches("channel", model.Channel,
		"report channel operations in handlers: they order actors without messages, and may block for ever",
		"send a message instead")
)

// reaches makes the check of one kind. The place that is reported is in this package: the operation itself, or the call
// of another package's function that does it.
func reaches(name string, kind outside.Kind, doc, hint string) *analysis.Analyzer {
	return check(name, doc, func(pass *analysis.Pass, tell report) error {
		world := pass.ResultOf[share.Analyzer].(*share.World)
		for _, f := range pass.ResultOf[outside.Analyzer].(*outside.Result).Found {
			if f.Kind == kind && !(kind == model.Lock && world.Fresh(f.At)) {
				tell(f.At.Pos(), "%s in handler %s%s; %s", f.What, f.Handler.Name(), via(f.Path), hint)
			}
		}
		return nil
	}, outside.Analyzer, share.Analyzer)
}

// via tells through which functions a handler comes to a place.
func via(path []*ssa.Function) string {
	if len(path) < 2 {
		return ""
	}
	var names []string
	for _, f := range path[1:] {
		names = append(names, frame.Name(f))
	}
	return " (through " + strings.Join(names, ", ") + ")"
}
