package simulate

import (
	"fmt"
	"time"
)

// Report is what came of a run.
type Report struct {
	Took        time.Duration // until all work was executed
	Idle        float64       // share of the workers' time in which they executed nothing
	Server      float64       // share of its time in which the server was busy
	Coordinator float64       // the same of the coordinator
	Queued      time.Duration // the longest that something waited for the server or the coordinator
	Tasks       int           // that were executed
	Short       int           // of them, those of less work than the grain
	Mean        time.Duration // work of a task
	Depth       float64       // tasks in the queue, on average
	Deepest     int           // at most
	Requests    int           // to split
	Messages    int           // to and from the server
	Peak        int           // messages in the busiest second
}

func (s *swarm) sum() Report {
	r := s.report
	r.Peak = max(r.Peak, s.inIt)
	r.Took = s.now
	for _, w := range s.waiting {
		s.idle += s.now - w.since
	}
	work := time.Duration(s.o.Workers) * s.o.Each
	r.Idle = 1 - work.Seconds()/(r.Took.Seconds()*float64(s.o.Workers))
	r.Server = s.server.busy.Seconds() / r.Took.Seconds()
	r.Coordinator = s.coord.busy.Seconds() / r.Took.Seconds()
	r.Queued = max(s.server.wait, s.coord.wait)
	r.Mean = work / time.Duration(max(r.Tasks, 1))
	r.Depth = float64(s.depths) / float64(max(s.polls, 1))
	return r
}

// Head is the head of a table of reports, in Markdown.
const Head = "| workers | changed | took, s | idle | server | coordinator | waited, ms | tasks | mean, s | short | " +
	"requests | depth, most | messages/s, most |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// Row is a row of that table.
func (r Report) Row(workers int, changed string) string {
	return fmt.Sprintf("| %d | %s | %.1f | %.1f%% | %.1f%% | %.1f%% | %.1f | %d | %.2f | %.0f%% | %d | %.0f, %d | "+
		"%.0f, %d |\n",
		workers, changed, r.Took.Seconds(), 100*r.Idle, 100*r.Server, 100*r.Coordinator, 1000*r.Queued.Seconds(), r.Tasks,
		r.Mean.Seconds(), 100*float64(r.Short)/float64(max(r.Tasks, 1)), r.Requests, r.Depth, r.Deepest,
		float64(r.Messages)/r.Took.Seconds(), r.Peak)
}
