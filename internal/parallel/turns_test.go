package parallel

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

// turns is a transport to executors of this process, which take turns. Leases are handed out as Pipes does, or tasks as
// a swarm does; there are no processes, and no time but that of the executors. The same seed makes the same.
type turns struct {
	executors []*Executor
	each      int  // executions of a lease, about
	tasks     bool // as a swarm does
	rnd       *rand.Rand
	tally     *Tally
	queue     queue
	open      []Task
	leases    []*Lease // by executor, nil: it is idle
	suspects  []*suspect
	taken     []Task
}

func newTurns(sys explore.System, create func() explore.Divisible, workers, each int, tasks bool) *turns {
	k := &turns{each: each, tasks: tasks, rnd: rand.New(rand.NewPCG(uint64(workers), uint64(each))),
		leases: make([]*Lease, workers), suspects: make([]*suspect, workers), taken: make([]Task, workers)}
	for range workers {
		x, now := clocked(sys, create), time.Unix(0, 0)
		x.Now = func() time.Time { now = now.Add(time.Millisecond / 8); return now }
		k.executors = append(k.executors, x)
	}
	return k
}

func (k *turns) Open(s explore.Divisible) (t *Tally, err error) {
	k.tally, err = Begun(s)
	k.queue.suspects = []*suspect{{ids: k.tally.ids(), Suspicion: Careful}}
	k.open = k.tally.FirstTasks()
	return k.tally, err
}

func (k *turns) Offer(t *Tally, _ int) error {
	for i := range k.leases {
		if k.leases[i] != nil {
			continue
		}
		l := &Lease{Millis: 20, Executions: 1 + k.rnd.IntN(2*k.each)}
		if k.tasks {
			if len(k.open) > 0 { // any: a queue of many machines has no order
				n := k.rnd.IntN(len(k.open))
				k.taken[i] = k.open[n]
				k.open = append(k.open[:n], k.open[n+1:]...)
				l.Parts = k.taken[i].Parts
				k.taken[i].bound(l)
			}
		} else {
			l.Parts = k.parts(t, i, l)
		}
		if len(l.Parts) > 0 {
			k.leases[i] = l
		}
	}
	return nil
}

// parts deals items to an executor, as Pipes.lease does.
func (k *turns) parts(t *Tally, i int, l *Lease) (parts Parts) {
	idle := 0
	for _, other := range k.leases[i:] {
		if other == nil {
			idle++
		}
	}
	all := func(int) bool { return true }
	var ids []int
	if k.suspects[i] = k.queue.next(all); k.suspects[i] != nil {
		ids = k.suspects[i].ids
		k.suspects[i].bound(l)
	} else {
		ids = k.queue.deal(idle, func(id int) int { p := t.open[id]; return p.depth() }, all)
	}
	for _, id := range ids {
		parts = append(parts, t.open[id])
	}
	return parts
}

func (k *turns) Wait() ([]*Report, error) {
	i := k.rnd.IntN(len(k.leases))
	for k.leases[i] == nil {
		i = (i + 1) % len(k.leases)
	}
	l, never := k.leases[i], func() bool { return false }
	k.leases[i] = nil
	r, err := k.executors[i].execute(l, func(int) error { return nil }, never, never)
	if err != nil {
		return nil, err
	}
	if k.tasks {
		r = k.taken[i].whole(r, 1+k.rnd.IntN(3))
	}
	if r, err = travelled(r); err != nil {
		return nil, err
	}
	if k.tasks {
		return []*Report{r}, r.Closes(&k.taken[i])
	}
	done := map[int]bool{}
	for _, id := range r.Done {
		done[id] = true
	}
	for _, p := range l.Parts {
		if !done[p.ID] {
			r.left = append(r.left, p.ID)
		}
	}
	r.suspect = k.suspects[i]
	return []*Report{r}, nil
}

// travelled gives a report as it is after it was written and read.
func travelled(r *Report) (*Report, error) {
	b, err := json.Marshal(r)
	again := &Report{}
	if err == nil {
		err = json.Unmarshal(b, again)
	}
	return again, err
}

func (k *turns) Added(t *Tally, reports []*Report) error {
	for _, r := range reports {
		if k.tasks {
			for _, task := range t.Tasks(r) {
				if task.Parts[0].Spot != (Part{}).Spot {
					return fmt.Errorf("a task says where its items lie: %+v", task.Parts[0].Spot)
				}
				k.open = append(k.open, task)
			}
			continue
		}
		left := r.left
		for i := range r.New {
			left = append(left, r.New[i].ID)
		}
		if r.suspect != nil {
			k.queue.survived(r.suspect, left)
		} else {
			k.queue.free = append(k.queue.free, left...)
		}
	}
	return nil
}

func (k *turns) Load() (busy int, ran bool) {
	for _, l := range k.leases {
		if l != nil {
			busy++
		}
	}
	return busy, true
}

func (*turns) Stop() {}
func (k *turns) Close() {
	for _, x := range k.executors {
		x.close()
	}
}
