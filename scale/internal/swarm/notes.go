package swarm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// This file: what takes whole machines down. Nobody is left to say that.
//
// Who begins something that machines may have died of notes that on the server. It takes the note back when it has
// survived that, in whatever way. The notes that are there are of machines that did not. A machine that was killed
// meanwhile for another reason is one of these.

// mostVanished is how many machines must vanish in the middle of one execution, or of the search for one target, until
// nobody tries again. Innocent kills would have to hit this one, of all that its task has, so often.
const mostVanished = 3

// notes are those of an agent about a job.
type notes struct {
	ctx   context.Context // done when all is stopped
	agent *Agent
	job   *streams.Job
	ends  context.Context // done when the agent is to end
}

// vanished tells how many workers have begun something and not said that they survived it, and which of these are not
// alive: their machines have vanished or hang. Others may be at it still, if the server was away for long. Then a
// machine may have begun it twice, in two processes. It vanishes once.
func (n notes) vanished(what string) (begun int, vanished []string, err error) {
	all, err := n.job.Begun(n.ctx, what)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) < mostVanished || err != nil {
		return len(all), nil, err
	}
	alive, err := n.job.Workers(n.ctx)
	vanished = slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return slices.ContainsFunc(alive, func(w streams.Worker) bool { return w.Name == name })
	})
	return len(all), vanished, err
}

// convict says that so many machines have vanished in the middle of something that nobody is to try it again; "": they
// have not. The error is errLater as long as that is not clear. where says in the middle of what they vanished.
func (n notes) convict(what, where string) (sentence string, err error) {
	begun, vanished, err := n.vanished(what)
	switch {
	case err != nil:
		return "", err
	case len(vanished) >= mostVanished:
		return fmt.Sprintf("%d machines vanished or fell silent in the middle of %s (workers %s), so that it takes a "+
			"machine down, most likely: its memory, or its processors", len(vanished), where, strings.Join(vanished, ", ")), nil
	case begun >= mostVanished:
		return "", errLater
	}
	return "", nil
}

// begin notes that this machine begins something. over takes the note back. With an error there is no note.
func (n notes) begin(what string) (over func(), err error) {
	survived, err := n.job.Begin(n.ctx, what, n.agent.Name)
	if err != nil {
		return func() {}, err
	}
	return func() {
		ctx, cancel := lasting(n.ctx, n.job, n.ends)
		defer cancel()
		if err := survived(ctx); err != nil {
			n.agent.log(fmt.Sprintf("the note that task %s is begun stays: %v", what, err))
		}
	}, nil
}
