package simulate

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// Scenarios of the table.
func scenarios() (names []string, all []Options) {
	add := func(name string, workers int, change func(*Options)) {
		o := Default(workers)
		if change != nil {
			change(&o)
		}
		names, all = append(names, name), append(all, o)
	}
	for _, n := range []int{1, 10, 100, 1000, 10000} {
		add("", n, nil)
	}
	add("asked each 200 ms", 1000, func(o *Options) { o.Again = 200 * time.Millisecond })
	add("no reserve", 1000, func(o *Options) { o.Reserve = 0 })
	add("a reserve of 1 in 2", 1000, func(o *Options) { o.Reserve = 2 })
	add("always 2 tasks", 1000, func(o *Options) { o.Pieces = 2 })
	add("always 8 tasks", 1000, func(o *Options) { o.Pieces = 8 })
	add("always 32 tasks", 1000, func(o *Options) { o.Pieces = 32 })
	add("10 open items", 1000, func(o *Options) { o.Items = 10 })
	add("even tasks", 1000, func(o *Options) { o.Skew = 100 })
	add("skew 0.5", 1000, func(o *Options) { o.Skew = 0.5 })
	add("split after 10 ms", 1000, func(o *Options) { o.Grain = 10 * time.Millisecond })
	add("split after 1 s", 1000, func(o *Options) { o.Grain = time.Second })
	add("poll 10 ms", 1000, func(o *Options) { o.Poll = 10 * time.Millisecond })
	add("poll 500 ms", 1000, func(o *Options) { o.Poll = 500 * time.Millisecond })
	add("after 10 s 8 tasks", 1000, func(o *Options) { o.Rest = 8 })
	add("results each second", 1000, func(o *Options) { o.Report = time.Second })
	add("the same, 8 tasks", 1000, func(o *Options) { o.Report, o.Rest = time.Second, 8 })
	add("tasks of 100 ms, 10 s each", 1000, func(o *Options) {
		o.Report, o.Rest, o.Skew, o.Each = 100*time.Millisecond, 2, 100, 10*time.Second
	})
	add("SyncAlways", 1000, func(o *Options) { o.Costs = Synced() })
	add("20 ms away", 1000, func(o *Options) { o.Link = 20 * time.Millisecond })
	add("the same, 200 ms", 1000, func(o *Options) { o.Link, o.Again = 20*time.Millisecond, 200*time.Millisecond })
	add("10 min each", 1000, func(o *Options) { o.Each = 10 * time.Minute })
	add("10 min each", 10000, func(o *Options) { o.Each = 10 * time.Minute })
	return names, all
}

// BenchmarkTable prints the table of docs/swarm-simulation.md: go test -run xxx -bench Table -benchtime 1x
func BenchmarkTable(b *testing.B) {
	names, all := scenarios()
	for range b.N {
		table := Head
		for i, o := range all {
			table += Run(o).Row(o.Workers, names[i])
		}
		fmt.Print("\n", table) // a log of a benchmark is cut
	}
}

// One worker alone: every part of the way is known.
func TestOneWorker(t *testing.T) {
	o := Default(1)
	o.Each, o.Report, o.Reserve = time.Second, time.Hour, 0
	r := Run(o)
	c := o.Costs
	// the task comes while the server is busy with the pull
	first := o.Link + c.Pull + c.Publish + o.Link
	if want := first + time.Second; r.Took != want {
		t.Errorf("it took %s, want %s", r.Took, want)
	}
	if r.Tasks != 1 || r.Mean != time.Second || r.Requests != 0 || r.Short != 0 {
		t.Errorf("%+v: want one task", r)
	}
	o.Each, o.Report = 10*time.Second, 4*time.Second
	round := o.Link + c.Result + c.Deliver + o.Link + c.Fold + c.Send + o.Link + c.Publish + o.Link
	r = Run(o)
	if want := first + 10*time.Second + 2*round; r.Took != want || r.Tasks != 3 {
		t.Errorf("three tasks, each after the result of the one before, took %s in %d tasks: want %s", r.Took, r.Tasks, want)
	}
}

// All work is executed once, whatever the options, and the same options give the same report.
func TestWorkIsKept(t *testing.T) {
	for i := range 60 {
		o := Default(1 + i%7*5)
		o.Seed = uint64(i)
		o.Each = time.Duration(1+i%5) * 3 * time.Second
		o.Pieces, o.Rest, o.Skew = i%9, 1+i%4, []float64{0.3, 1.1, 5}[i%3]
		o.Report = []time.Duration{time.Second, 10 * time.Second}[i%2]
		o.Grain = []time.Duration{0, 100 * time.Millisecond, time.Second}[i%3]
		r := Run(o)
		if work := time.Duration(o.Workers) * o.Each; r.Took < o.Each || r.Took > work+time.Minute || r.Idle < 0 ||
			r.Mean != work/time.Duration(r.Tasks) || r.Server > 1 || r.Coordinator > 1 {
			t.Errorf("%+v gave %+v", o, r)
		}
		if again := Run(o); again != r {
			t.Errorf("%+v gave %+v, and then %+v", o, r, again)
		}
	}
}

// A station against the definition: what comes at a time is done after all that came before.
func TestStation(t *testing.T) {
	c := &clock{}
	s := station{clock: c}
	var done []time.Duration
	for _, job := range []struct{ at, cost time.Duration }{{0, 5}, {1, 1}, {7, 2}, {7, 1}, {20, 3}} {
		c.after(job.at, func() { s.serve(job.cost, func() { done = append(done, c.now) }) })
	}
	for c.step() {
	}
	if want := []time.Duration{5, 6, 9, 10, 23}; !slices.Equal(done, want) || s.busy != 12 || s.wait != 4 {
		t.Errorf("done at %v, busy %d, waited %d: want %v, 12, 4", done, s.busy, s.wait, want)
	}
}

// What the page says of a hundred workers and of who asks how many.
func TestClaims(t *testing.T) {
	usual := Run(Default(100))
	if usual.Idle > 0.06 || usual.Server > 0.03 || usual.Coordinator > 0.02 {
		t.Errorf("100 workers: %+v", usual)
	}
	change := func(f func(*Options)) Report {
		o := Default(100)
		f(&o)
		return Run(o)
	}
	if r := change(func(o *Options) { o.Again = 200 * time.Millisecond }); r.Requests > usual.Requests {
		t.Errorf("%d requests each 50 ms, %d each 200 ms", r.Requests, usual.Requests)
	}
	if r := change(func(o *Options) { o.Costs = Synced() }); r.Server < 3*usual.Server {
		t.Errorf("with SyncAlways the server is busy for %.2f, without %.2f", r.Server, usual.Server)
	}
	small := change(func(o *Options) { o.Report, o.Rest, o.Each = 10*time.Millisecond, 4, 2*time.Second })
	if small.Server < small.Coordinator || small.Server < 0.95 {
		t.Errorf("tasks of 10 ms for 100 workers: %+v, want that the server is busy all the time", small)
	}
}
