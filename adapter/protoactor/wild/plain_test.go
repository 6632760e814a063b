package wild

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/adapter/protoactor/freerun"
	"github.com/rehearse-go/rehearse/trace"
)

// This file runs programs on the plain framework, with its own mailboxes and goroutines, in a bubble, which tells when
// all is quiet, and lets time pass then.

// free executes a program; its goroutines yield before each deed.
func free(t *testing.T, p *program) (end string) {
	synctest.Test(t, func(*testing.T) {
		w, test := newWorld(p, protoactor.NewActorSystem(), nil)
		w.set()
		synctest.Wait()
		w.introduce()
		w.pause = freerun.Yield
		go func() {
			defer func() { _ = recover() }() // a router without routees panics where it is sent to, here as under control
			test.test("", p.first, p.hops)
		}()
		synctest.Wait()
		time.Sleep(time.Minute) // what waits for a stop gives up before
		synctest.Wait()
		end = w.end()
		w.letGo()
	})
	return end
}

// letGo ends all waiting, so that the bubble can end: that of handlers, and that of the framework's throttle of its
// log.
func (w *world) letGo() {
	for given := 0; ; {
		w.mu.Lock()
		futures := w.futures[given:]
		given = len(w.futures)
		w.mu.Unlock()
		if len(futures) == 0 {
			time.Sleep(w.system.Config.DeadLetterThrottleInterval + time.Second)
			return
		}
		for _, f := range futures {
			w.system.Root.Send(f.PID(), &actor.DeadLetterResponse{})
		}
		synctest.Wait()
	}
}

// explored are the ends under the mailbox model; nil: they are too many, or not all are known, for the reason.
func explored(p *program, limit int) (ends map[string]bool, reason string, err error) {
	x := newTrial(p, 1, false, trace.Mailbox)
	x.limit = limit
	s, err := x.under().Show("optimal")
	switch {
	case err != nil:
		return nil, "", err
	case !s.Exhausted:
		return nil, "too large", nil
	case !s.Complete:
		return nil, s.Lacks(), nil
	}
	ends = map[string]bool{}
	for _, end := range s.Classes {
		ends[end] = true
	}
	return ends, "", nil
}

// strange gives an end that free runs come to and that is not explored, "" if there is none, and how many different
// ones they come to.
func strange(t *testing.T, p *program, ends map[string]bool, runs int) (string, int) {
	seen := map[string]bool{}
	for range runs {
		end := free(t, p)
		if !ends[end] {
			return end, len(seen)
		}
		seen[end] = true
	}
	return "", len(seen)
}

// What programs do on the plain framework, with real goroutines, is among what is explored under the mailbox model: of
// one program a feature, in 20 runs; with REHEARSE_TOY=n of n programs, in up to 3,000 runs of each.
func TestPlainRuns(t *testing.T) {
	programs, runs, limit, from := 1, 20, 100, number(t, "REHEARSE_TOY_FROM")
	if n := number(t, "REHEARSE_TOY"); n > 0 {
		programs, runs, limit = int(n), 300*int(min(n, 10)), 500
	}
	for _, f := range features {
		if f.clock {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			compared, orders, all, reasons := 0, 0, 0, map[string]int{}
			for seed := from; compared < programs; seed++ {
				p := draw(seed, f)
				p.plain, p.setUps = true, nil
				ends, reason, err := explored(p, limit)
				switch {
				case err != nil:
					t.Fatalf("%v\n%s", err, p)
				case ends == nil:
					reasons[reason]++
					continue
				case len(ends) == 1:
					continue
				}
				compared++
				other, seen := strange(t, p, ends, runs)
				orders, all = orders+seen, all+len(ends)
				if other != "" {
					t.Errorf("seed %d: plain protoactor-go comes to what no exploration does, of %d ends:\n  %s\n%s", seed, len(ends), other, p)
					t.Logf("smaller: %s", smaller(t, p, runs))
				}
			}
			t.Logf("%d programs, %d ends explored, %d seen in %d free runs of each; programs that are not explored completely: %v", compared, all, orders, runs, reasons)
		})
	}
}

// smaller leaves out what is not needed for an end that is not explored.
func smaller(t *testing.T, p *program, runs int) *program {
	x := &trial{program: p}
	return x.minimiseFor(func(x *trial) bool {
		ends, _, err := explored(x.program, 500)
		if err != nil || ends == nil {
			return false
		}
		other, _ := strange(t, x.program, ends, max(runs, 300))
		return other != ""
	}).program
}
