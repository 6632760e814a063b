package swarm

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

const (
	lastWords  = 3 * time.Second // for workers to answer when all is stopped
	publishers = 16              // tasks that are on their way at a time
	mostAtOnce = 256             // results that are folded before anybody looks up
	largeFrom  = 1 << 20         // bytes of a result from which it is large
	mostLarge  = 2               // large results that wait to be folded
)

// transport is parallel.Transport over the streams of a job. Its methods are called by one goroutine.
type transport struct {
	job     *streams.Job
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	closing sync.Once
	publish chan parallel.Task
	results chan streams.Result
	large   chan struct{} // has one for each large result that waits
	failed  chan error

	open     map[string]*parallel.Task // without a result
	offered  map[string]bool           // of these: the queue got them, or will
	waiting  []parallel.Task           // of the offered: for a publisher
	answered []*parallel.Task          // of reports that are not in the tally yet
	served   []*parallel.Task          // that have got a part of the budget since something was offered
	answers  int                       // so far, earlier runs included
	read     uint64                    // number of the last result that was looked at
	budget   *budget                   // nil: no bound
	watch    watch
	stopping time.Time // zero: go on
	// alone reports, when no more is needed, whether no other coordinator needs any; nil: there is none.
	alone func(context.Context) bool

	epochs   []epoch
	epoch    int              // number of that of the results that are folded
	most     int              // the largest budget of the epochs so far; without one math.MaxInt
	numbered explore.Numbered // nil: executions have no numbers
}

var _ parallel.Transport = (*transport)(nil)

func newTransport(ctx context.Context, j *streams.Job, epochs []epoch) *transport {
	t := &transport{job: j, open: map[string]*parallel.Task{}, offered: map[string]bool{},
		publish: make(chan parallel.Task), results: make(chan streams.Result, mostAtOnce),
		large: make(chan struct{}, mostLarge), failed: make(chan error, publishers+1), watch: newWatch(j), epochs: epochs}
	t.ctx, t.cancel = context.WithCancel(ctx)
	return t
}

func (t *transport) nameOf(task *parallel.Task) string { return nameOf(task, t.epoch) }

// Open folds the results that are there, and publishes what is open.
func (t *transport) Open(s explore.Divisible) (tally *parallel.Tally, err error) {
	defer func() {
		if err != nil {
			t.Close() // nobody else will
		}
	}()
	if tally, err = parallel.Begun(s); err != nil {
		return nil, err
	}
	t.numbered, _ = s.(explore.Numbered)
	if err = t.replay(tally); err != nil {
		return nil, err
	}
	t.served = nil
	t.offer(t.all())
	return tally, nil
}

// begin begins the next epoch: what is open is shared anew.
func (t *transport) begin(tally *parallel.Tally) {
	executions := t.epochs[t.epoch].Executions
	// Items with numbers know the budget. Under an earlier, larger one some beyond this one were executed. They count.
	lowered := t.most > executions
	if t.epoch++; executions == 0 {
		t.most = math.MaxInt
	}
	t.most = max(t.most, executions)
	if t.budget = nil; executions > 0 && (t.numbered == nil || lowered) {
		t.budget = &budget{left: executions - tally.Sum.Executions - tally.Sum.Blocked}
	}
	aside := map[int]bool{}
	if t.numbered != nil {
		t.numbered.Limit(executions)
		aside = tally.SetAside()
	}
	before := t.all()
	clear(t.open)
	clear(t.offered)
	t.served = nil
	for _, task := range before {
		task.Parts = slices.DeleteFunc(slices.Clone(task.Parts), func(p parallel.Part) bool { return aside[p.ID] })
		if task.Budget = 0; len(task.Parts) > 0 {
			t.open[t.nameOf(&task)] = &task
			t.budget.add(&task)
		}
	}
	t.add(tally.Reopen())
}

// replay folds the results of before.
func (t *transport) replay(tally *parallel.Tally) error {
	_, last, err := t.job.Results(t.ctx)
	if err != nil {
		return err
	}
	if since := t.epochs[len(t.epochs)-1].Since; last < since {
		return fmt.Errorf("job %s: %w: it had %d results before its budget was changed, and the server has %d", t.job.Name(),
			streams.ErrLost, since, last)
	}
	t.begin(tally)
	t.add(tally.FirstTasks())
	t.start()
	for n := range last {
		for t.epoch < len(t.epochs) && t.epochs[t.epoch].Since <= n {
			t.begin(tally)
		}
		select {
		case r := <-t.results:
			if err := t.replayed(tally, &r); err != nil {
				return err
			}
		case err := <-t.failed:
			return err
		case <-t.ctx.Done():
			return t.ctx.Err()
		}
	}
	for t.epoch < len(t.epochs) {
		t.begin(tally)
	}
	return nil
}

// replayed folds a result of before.
func (t *transport) replayed(tally *parallel.Tally, r *streams.Result) error {
	report, err := t.report(r)
	if err != nil || report == nil {
		return err
	}
	if err := tally.Fold(report); err != nil {
		return t.contradicts(err)
	}
	t.added(tally, report)
	return nil
}

// contradicts is what it means that the results do not fit together.
func (t *transport) contradicts(err error) error {
	return spoilt(t.job, fmt.Errorf("its results contradict each other: %w", err))
}

// start has results read and tasks published.
func (t *transport) start() {
	t.running.Go(func() {
		t.fail(t.job.FoldResults(t.ctx, 0, t.arrive))
	})
	for range publishers {
		t.running.Go(func() {
			for task := range t.publish {
				t.fail(t.send(&task))
			}
		})
	}
}

// arrive hands on a result that was read. Large ones are read no sooner than there is room: hundreds of them would fill
// the memory.
func (t *transport) arrive(r streams.Result) error {
	if len(r.Data) >= largeFrom {
		select {
		case t.large <- struct{}{}:
		case <-t.ctx.Done():
			return t.ctx.Err()
		}
	}
	select {
	case t.results <- r:
		return nil
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

func (t *transport) fail(err error) {
	if err != nil && t.ctx.Err() == nil {
		select {
		case t.failed <- err:
		default: // one is enough
		}
	}
}

func (t *transport) send(task *parallel.Task) error {
	data, err := encodeTask(task)
	if err != nil {
		return err
	}
	return t.job.PublishTask(t.ctx, t.nameOf(task), data)
}

// report gives the report of a result, whose task is open no more; nil if it is of an earlier epoch, and came too late.
func (t *transport) report(r *streams.Result) (*parallel.Report, error) {
	task, epoch := t.open[r.Name], epochOf(r.Name)
	t.read = r.Seq
	if len(r.Data) >= largeFrom {
		<-t.large
	}
	switch {
	case 0 < epoch && epoch < t.epoch:
		return nil, nil
	case epoch > t.epoch && t.epoch == len(t.epochs):
		return nil, fmt.Errorf("job %s: %w", t.job.Name(), errOtherEpoch)
	case r.Err != nil:
		return nil, spoilt(t.job, r.Err)
	case task == nil:
		return nil, t.contradicts(fmt.Errorf("result %s is of a task that nobody made", r.Name))
	}
	answer, err := decodeResult(r.Data, task)
	if err != nil {
		return nil, t.contradicts(fmt.Errorf("result %s: %w", r.Name, err))
	}
	if answer.Error != "" {
		return nil, spoilt(t.job, answer.refusal(r.Name))
	}
	delete(t.open, r.Name)
	delete(t.offered, r.Name)
	t.budget.forget(task)
	t.answered = append(t.answered, task)
	t.answers++
	return answer.Report, nil
}

// add takes note of tasks.
func (t *transport) add(tasks []parallel.Task) {
	for i := range tasks {
		t.open[t.nameOf(&tasks[i])] = &tasks[i]
		t.budget.add(&tasks[i])
	}
	t.served = append(t.served, t.budget.share()...)
}

// added takes note of a report that is in the tally, report by report in their order.
func (t *transport) added(tally *parallel.Tally, r *parallel.Report) []parallel.Task {
	t.budget.spend(t.answered[0], r)
	t.answered = t.answered[1:]
	tasks := tally.Tasks(r)
	t.add(tasks)
	return tasks
}

// all are the open tasks, in the order in which they were made.
func (t *transport) all() []parallel.Task {
	var list []parallel.Task
	for task := range maps.Values(t.open) {
		list = append(list, *task)
	}
	slices.SortFunc(list, func(a, b parallel.Task) int { return a.Parts[0].ID - b.Parts[0].ID })
	return list
}

// offer has tasks published that may make executions, as fast as the server takes them. What the queue has already is
// not published twice.
func (t *transport) offer(tasks []parallel.Task) {
	for i := range tasks {
		if t.budget.allows(&tasks[i]) {
			t.waiting = append(t.waiting, tasks[i])
			t.offered[t.nameOf(&tasks[i])] = true
		}
	}
}

// next gives the first task that waits for a publisher, and where it goes; nothing if none waits.
func (t *transport) next() (task parallel.Task, to chan<- parallel.Task) {
	for len(t.waiting) > 0 && t.open[t.nameOf(&t.waiting[0])] == nil { // an earlier run had it published
		t.waiting = t.waiting[1:]
	}
	if len(t.waiting) == 0 {
		return parallel.Task{}, nil
	}
	return t.waiting[0], t.publish
}

// Wait gives the reports that came in, and hands tasks to publishers meanwhile. SUBTLE: it waits for neither longer
// than a moment: the server may be away, and a budget of time is judged between two calls.
func (t *transport) Wait() (reports []*parallel.Report, err error) {
	pause := time.NewTimer(lookEvery)
	defer pause.Stop()
	for {
		task, to := t.next()
		select {
		case to <- task:
			t.waiting = t.waiting[1:]
		case r := <-t.results:
			return t.reports(r)
		case err := <-t.failed:
			return nil, err
		case <-t.ctx.Done():
			return nil, t.ctx.Err()
		case <-pause.C:
			return nil, nil
		}
	}
}

// reports gives the report of a result, and those of the results behind it.
func (t *transport) reports(r streams.Result) (all []*parallel.Report, err error) {
	for {
		report, err := t.report(&r)
		if err != nil {
			return all, err
		}
		if report != nil {
			all = append(all, report)
		}
		if len(all) == mostAtOnce || len(r.Data) >= largeFrom {
			return all, nil
		}
		select {
		case r = <-t.results:
		default:
			return all, nil
		}
	}
}

// Added publishes what the reports left.
func (t *transport) Added(tally *parallel.Tally, reports []*parallel.Report) error {
	t.watch.heard = time.Now()
	var tasks []parallel.Task
	for _, r := range reports {
		tasks = append(tasks, t.added(tally, r)...)
	}
	if t.budget != nil {
		// What had no executions may have some now. SUBTLE: what the queue got is not there any more, perhaps, and would be
		// executed again before its result is heard.
		tasks = nil
		for _, task := range t.served {
			if name := t.nameOf(task); t.open[name] == task && !t.offered[name] {
				tasks = append(tasks, *task)
			}
		}
	}
	t.served = nil
	if !t.stopping.IsZero() {
		return nil // whoever goes on publishes them
	}
	t.offer(tasks)
	return nil
}

// Offer looks at the queue: where workers wait and tasks do not, or too few, busy ones are asked to divide theirs. They
// may be asked again before their tasks have come: who has one for less than leastWork does not listen.
func (t *transport) Offer(*parallel.Tally, int) error {
	fresh, lost, err := t.watch.look(t.ctx)
	switch {
	case err != nil || !fresh:
		return err
	case lost:
		t.waiting = nil
		t.offer(t.all())
		return nil
	}
	d := &t.watch.depth
	if lacking := d.Waiting + reserve(d.InProgress) - d.Pending - len(t.waiting); lacking > 0 && d.InProgress > 0 {
		asked := min(lacking, d.InProgress)
		return patient(t.job.Split(t.ctx, asked, (lacking+asked-1)/asked+1))
	}
	return nil
}

// busyForOne is for how many busy workers one task is to wait.
const busyForOne = 8

// reserve is how many tasks are to wait for so many busy workers: who is at its end goes on with one of them. Without
// that it waits until somebody has divided a task, which takes leastWork where all have begun with theirs just now.
func reserve(busy int) int { return (busy + busyForOne - 1) / busyForOne }

// Stop tells the agents, also where no task is open: what is beyond the budget is kept, and the job with it. If the
// server is away nobody hears it, and nobody waits for that. Where another coordinator goes on, they do too.
func (t *transport) Stop() {
	t.stopping, t.waiting = time.Now(), nil // whoever goes on publishes them
	t.running.Go(func() {
		if t.alone == nil || t.alone(t.ctx) {
			t.fail(patient(t.job.Stop(t.ctx, "the coordinator needs no more")))
		}
	})
}

// Load is Transport.Load. When all is stopped, workers that do not answer are not waited for, nor is a server.
func (t *transport) Load() (busy int, ran bool) {
	if t.stopping.IsZero() || len(t.open) == 0 || time.Since(t.stopping) > lastWords || !t.job.Connected() {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(t.ctx, answerSoon)
	defer cancel()
	d, err := t.job.Depth(ctx)
	if err != nil {
		return 0, false
	}
	// What was answered is stored by now, and may be on its way here.
	_, last, err := t.job.Results(ctx)
	if err == nil && (d.InProgress > 0 || last > t.read) {
		return 1, false
	}
	return 0, false
}

// Close ends what Open began.
func (t *transport) Close() {
	t.cancel()
	t.closing.Do(func() { close(t.publish) })
	t.running.Wait()
}
