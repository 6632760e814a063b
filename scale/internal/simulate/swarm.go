package simulate

import (
	"math"
	"math/rand/v2"
	"time"
)

// swarm is a run.
type swarm struct {
	clock
	o      Options
	random *rand.Rand
	server station
	coord  station

	pending []time.Duration // tasks in the queue, by their work
	waiting []*worker       // who waits, the longest first
	busy    []*worker       // who executes, in no order
	left    time.Duration   // work that is not executed
	asked   time.Duration   // when workers were asked to split
	report  Report
	depths  int           // the sum of the depths of the queue at the polls
	polls   int           // how often it was looked at
	idle    time.Duration // of all workers together
	second  time.Duration // that messages are counted of
	inIt    int           // messages of that second
}

// worker is one that executes a task or waits for one.
type worker struct {
	place int           // in busy
	task  time.Duration // work of its task
	start time.Duration // when it began with it
	since time.Duration // when it became idle
	ends  int           // the number of its task: what was planned for an earlier one is void
}

// Run plays a swarm until all work is done.
func Run(o Options) Report {
	s := &swarm{o: o, random: rand.New(rand.NewPCG(o.Seed, 0))}
	s.server.clock, s.coord.clock = &s.clock, &s.clock
	s.left = time.Duration(o.Workers) * o.Each
	s.asked = -o.Again
	for range o.Workers {
		s.idles(&worker{})
	}
	s.publish(s.left)
	s.after(o.Poll, s.poll)
	s.after(0, s.background)
	for s.left > 0 && s.step() {
	}
	return s.sum()
}

// message counts messages to and from the server.
func (s *swarm) message(n int) {
	for s.now >= s.second+time.Second {
		s.report.Peak = max(s.report.Peak, s.inIt)
		s.second, s.inIt = s.second+time.Second, 0
	}
	s.report.Messages += n
	s.inIt += n
}

// call sends something to the server, which has it after the link and its cost.
func (s *swarm) call(cost time.Duration, messages int, done func()) {
	s.message(messages)
	s.after(s.o.Link, func() { s.server.serve(cost, done) })
}

// publish has the coordinator put a task into the queue.
func (s *swarm) publish(work time.Duration) {
	s.coord.serve(s.o.Costs.Send, func() {
		s.call(s.o.Costs.Publish, 2, func() {
			s.pending = append(s.pending, work)
			s.report.Deepest = max(s.report.Deepest, len(s.pending))
			s.match()
		})
	})
}

// idles has a worker ask for a task.
func (s *swarm) idles(w *worker) {
	w.since = s.now
	s.call(s.o.Costs.Pull, 2, func() {
		s.waiting = append(s.waiting, w)
		s.match()
	})
}

// match hands tasks to who waits, both in the order in which they came.
func (s *swarm) match() {
	for len(s.pending) > 0 && len(s.waiting) > 0 {
		work, w := s.pending[0], s.waiting[0]
		s.pending, s.waiting = s.pending[1:], s.waiting[1:]
		s.after(s.o.Link, func() { s.begin(w, work) })
	}
}

func (s *swarm) begin(w *worker, work time.Duration) {
	s.idle += s.now - w.since
	w.task, w.start = work, s.now
	w.ends++
	w.place = len(s.busy)
	s.busy = append(s.busy, w)
	number := w.ends
	s.after(min(work, s.o.Report), func() {
		if w.ends == number { // else it has split
			s.end(w, s.o.Rest)
		}
	})
}

// end has a worker publish what it did, and its rest as so many tasks. A rest that is less than an execution is done
// before.
func (s *swarm) end(w *worker, pieces int) {
	w.ends++
	last := s.busy[len(s.busy)-1]
	s.busy[w.place], last.place = last, w.place
	s.busy = s.busy[:len(s.busy)-1]
	did := min(s.now-w.start, w.task)
	rest := w.task - did
	if rest < execution {
		did, rest = w.task, 0
	}
	s.left -= did
	s.report.Tasks++
	if did < s.o.Grain {
		s.report.Short++
	}
	parts := s.divide(rest, pieces)
	s.call(s.o.Costs.Result, 2, func() {
		s.after(s.o.Link, func() { s.call(s.o.Costs.Ack, 2, func() {}); s.idles(w) })
		s.server.serve(s.o.Costs.Deliver, func() {
			s.message(1)
			s.after(s.o.Link, func() { s.fold(parts) })
		})
	})
}

func (s *swarm) fold(parts []time.Duration) {
	s.coord.serve(s.o.Costs.Fold, func() {
		for _, p := range parts {
			s.publish(p)
		}
	})
}

// divide makes tasks of work, each at least an execution, whose sizes are a Pareto distribution's.
func (s *swarm) divide(work time.Duration, pieces int) []time.Duration {
	n := int(min(time.Duration(min(pieces, s.o.Items)), work/execution))
	if n == 0 {
		return nil
	}
	weights, sum := make([]float64, n), 0.0
	for i := range weights {
		weights[i] = math.Pow(1-s.random.Float64(), -1/s.o.Skew)
		sum += weights[i]
	}
	parts, spare := make([]time.Duration, n), work-time.Duration(n)*execution
	given := time.Duration(0)
	for i, w := range weights {
		parts[i] = execution + time.Duration(w/sum*float64(spare))
		given += parts[i]
	}
	parts[0] += work - given // what rounding lost
	return parts
}

// poll asks for the depth of the queue, and workers to split if others wait.
func (s *swarm) poll() {
	s.call(s.o.Costs.Depth, 2, func() {
		pending, waiting := len(s.pending), len(s.waiting)
		s.depths, s.polls = s.depths+pending, s.polls+1
		s.after(s.o.Link, func() {
			s.ask(waiting + s.reserve() - pending)
			s.after(s.o.Poll, s.poll)
		})
	})
}

// reserve is how many tasks are to wait for those who are busy.
func (s *swarm) reserve() int {
	if s.o.Reserve == 0 {
		return 0
	}
	return (len(s.busy) + s.o.Reserve - 1) / s.o.Reserve
}

// ask sends requests to split to busy workers, chosen at random. As many are asked as tasks lack, where there are so
// many workers. The tasks that each makes are one for itself and one for each that lacks because of it.
func (s *swarm) ask(lacking int) {
	if lacking <= 0 || len(s.busy) == 0 || s.now-s.asked < s.o.Again {
		return
	}
	s.asked = s.now
	n, pieces := min(lacking, len(s.busy)), s.o.Pieces
	if pieces == 0 {
		pieces = (lacking+n-1)/n + 1
	} else if pieces > 1 {
		n = min(n, (lacking+pieces-2)/(pieces-1))
	}
	for range n {
		s.report.Requests++
		s.call(s.o.Costs.Split, 2, func() { s.after(s.o.Link, func() { s.split(pieces) }) })
	}
}

// split has a worker end its task that has executed it for long enough: others do not listen. If there is none, the
// request is gone.
func (s *swarm) split(pieces int) {
	if len(s.busy) == 0 {
		return
	}
	first := s.random.IntN(len(s.busy))
	for i := range s.busy {
		if w := s.busy[(first+i)%len(s.busy)]; s.now-w.start >= s.o.Grain {
			s.end(w, pieces)
			return
		}
	}
}

// background is what workers say beside their tasks.
func (s *swarm) background() {
	const every = 100 * time.Millisecond
	progress := float64(len(s.busy)) * every.Seconds() / progressEvery.Seconds()
	beats := float64(s.o.Workers) * every.Seconds() / beatEvery.Seconds()
	s.message(int(progress + 2*beats))
	s.server.serve(time.Duration(progress*float64(s.o.Costs.Progress)+beats*float64(s.o.Costs.Beat)), func() {})
	s.after(every, s.background)
}
