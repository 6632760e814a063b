package source

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// whyInterrupted is why a target has no other verdict once somebody has interrupted the search.
const whyInterrupted = "interrupted"

// untilInterrupted gives a context for what may be left out where somebody interrupts the command: what was found so
// far is still executed and told. A second interrupt ends the process. stop has to be called where nothing more may be
// left out.
func untilInterrupted(ctx context.Context) (search context.Context, stop func()) {
	search, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(search, stop)
	return search, stop
}
