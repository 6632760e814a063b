package streams

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Info is a job of a server.
type Info struct {
	Job, ID string
	Made    time.Time // by the clock of the server
	Tasks   int       // that wait or are executed
	Results int
	Bytes   int64 // of tasks, results and objects on the server
	Whole   bool  // everything is there, and of this version: see Job.Check
	Foreign bool  // another version of Rehearse made it
}

// List gives the jobs of a server, in the order of their names.
func List(ctx context.Context, nc *nats.Conn) ([]Info, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	found := map[string]*jetstream.StreamInfo{}
	bounded, cancel := context.WithTimeout(ctx, makeWithin)
	defer cancel()
	l := js.ListStreams(bounded)
	for i := range l.Info() {
		found[i.Config.Name] = i
	}
	if err := l.Err(); err != nil && !errors.Is(err, jetstream.ErrEndOfData) {
		return nil, names{job: "*"}.plain("listing all", err)
	}
	var all []Info
	for name, i := range found {
		job, id := i.Config.Metadata[metaJob], i.Config.Metadata[metaID]
		n := names{job: job, id: id}
		if CheckJob(job) != nil || !idText.MatchString(id) || name != n.results() {
			continue
		}
		info := Info{Job: job, ID: id, Made: i.Created, Results: int(i.State.Msgs)}
		for _, other := range n.all() {
			if o := found[other]; o != nil {
				info.Bytes += int64(o.State.Bytes)
			}
		}
		if tasks := found[n.tasks()]; tasks != nil {
			info.Tasks = int(tasks.State.Msgs)
		}
		_, err := Open(ctx, nc, job, id)
		info.Whole, info.Foreign = err == nil, errors.Is(err, ErrVersion)
		if err != nil && !info.Foreign && !errors.Is(err, ErrLost) {
			return nil, err
		}
		all = append(all, info)
	}
	slices.SortFunc(all, func(a, b Info) int { return strings.Compare(a.Job, b.Job) })
	return all, nil
}
