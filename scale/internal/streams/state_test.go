package streams

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A stop reaches those who watch, those who come later, and those who ask. It can be taken back.
func TestStop(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	early, err := j.WatchStop(ctx)
	must(t, err)
	if _, stopped, err := j.Stopped(ctx); stopped || err != nil {
		t.Errorf("stopped before: %v", err)
	}
	// somebody else's message alone stops nobody
	must(t, j.nc.Publish(j.subject(keyStop), []byte("nonsense")))
	must(t, j.Stop(ctx, "enough"))
	must(t, j.Stop(ctx, "a second reason"))
	late, err := j.WatchStop(ctx)
	must(t, err)
	for _, c := range []<-chan string{early, late} {
		if why, ok := <-c; why != "enough" || !ok {
			t.Errorf("the reason is %q, %v", why, ok)
		}
		if _, ok := <-c; ok {
			t.Error("it was stopped twice")
		}
	}
	if why, stopped, err := j.Stopped(ctx); why != "enough" || !stopped || err != nil {
		t.Errorf("stopped: %q, %v, %v", why, stopped, err)
	}
	must(t, j.Resume(ctx))
	if _, stopped, err := j.Stopped(ctx); stopped || err != nil {
		t.Errorf("stopped after it went on: %v", err)
	}
	must(t, j.Stop(ctx, strings.Repeat("a", 1<<20)))
	if why, _, err := j.Stopped(ctx); len(why) != maxWhy || err != nil {
		t.Errorf("a reason of %d bytes, %v", len(why), err)
	}
	ended, cancel := context.WithCancel(ctx)
	must(t, j.Resume(ctx))
	never, err := j.WatchStop(ended)
	must(t, err)
	cancel()
	if why, ok := <-never; ok {
		t.Errorf("a watch that ended says %q", why)
	}
}

// Two coordinators do not overwrite each other's state unseen.
func TestState(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	data, revision, err := j.State(ctx)
	if data != nil || revision != 0 || err != nil {
		t.Fatalf("a new job has the state %q, %d, %v", data, revision, err)
	}
	first, err := j.SetState(ctx, []byte("one"), 0)
	must(t, err)
	for _, stale := range []uint64{0, first + 1} {
		if _, err := j.SetState(ctx, []byte("other"), stale); !errors.Is(err, ErrStale) {
			t.Errorf("revision %d: %v, want that it is stale", stale, err)
		}
	}
	second, err := j.SetState(ctx, []byte("two"), first)
	must(t, err)
	data, revision, err = j.State(ctx)
	if string(data) != "two" || revision != second || err != nil {
		t.Errorf("the state is %q, %d, %v", data, revision, err)
	}
	if _, err := j.SetState(ctx, make([]byte, maxState+1), second); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a large state: %v", err)
	}
}

// Who is silent is forgotten, and who says goodbye at once.
func TestWorkers(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{Alive: time.Second})
	alive := func() (text string) {
		t.Helper()
		all, err := j.Workers(ctx)
		must(t, err)
		for _, w := range all {
			text += w.Name + string(w.Data) + " "
		}
		return text
	}
	if got := alive(); got != "" {
		t.Errorf("%q are alive in a new job", got)
	}
	for _, name := range []string{"a", "b", "c"} {
		must(t, j.Beat(ctx, name, []byte("1")))
	}
	must(t, j.Bye(ctx, "b"))
	must(t, j.Beat(ctx, "a", []byte("2")))
	if got := alive(); got != "c1 a2 " {
		t.Errorf("%q are alive", got)
	}
	for alive() != "a3 " { // the others were silent
		must(t, j.Beat(ctx, "a", []byte("3")))
		time.Sleep(50 * time.Millisecond)
		if ctx.Err() != nil {
			t.Fatalf("%q are alive", alive())
		}
	}
}

// Jobs are listed, also the rest of one that was not made, or not deleted, in whole.
func TestList(t *testing.T) {
	t.Parallel()
	ctx, first := within(t), newJob(t, Options{})
	second, err := Create(ctx, first.nc, "a-second_one", Options{})
	must(t, err)
	if _, err := Create(ctx, first.nc, "job", Options{}); !errors.Is(err, ErrExists) {
		t.Errorf("made twice: %v", err)
	}
	must(t, first.PublishTask(ctx, "t", nil))
	_, err = first.PublishResult(ctx, "t", nil)
	must(t, err)
	must(t, first.js.DeleteStream(ctx, second.tasks()))
	list := func() (text string) {
		t.Helper()
		all, err := List(ctx, first.nc)
		must(t, err)
		for _, i := range all {
			text += fmt.Sprintf("%s %v %d %d, ", i.Job, i.Whole, i.Tasks, i.Results)
			if time.Since(i.Made) > time.Hour || i.Bytes == 0 && i.Tasks > 0 {
				t.Errorf("%+v", i)
			}
		}
		return text
	}
	if got, want := list(), "a-second_one false 0 0, job true 1 1, "; got != want {
		t.Errorf("the jobs are %q, want %q", got, want)
	}
	must(t, Delete(ctx, first.nc, "a-second_one"))
	must(t, Delete(ctx, first.nc, "a-second_one"))
	if got, want := list(), "job true 1 1, "; got != want {
		t.Errorf("the jobs are %q, want %q", got, want)
	}
}

// kept is how many messages the server keeps of the state of a job, and in how many bytes.
func kept(t *testing.T, j *Job) (messages, bytes uint64) {
	t.Helper()
	s, err := j.js.Stream(within(t), streamOf(j.state()))
	must(t, err)
	state := s.CachedInfo().State
	return state.Msgs, state.Bytes
}

// Nothing is left of notes that were taken back, nor of a stop: a job makes very many of them.
func TestNothingIsLeftOfNotes(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	_, err := j.SetState(ctx, []byte("state"), 0)
	must(t, err)
	stays, err := j.Begin(ctx, "t1", "a")
	must(t, err)
	messages, bytes := kept(t, j)
	for n := range 20 {
		survived, err := j.Begin(ctx, fmt.Sprint("t", n), "worker")
		must(t, err)
		if now, _ := kept(t, j); now != messages+1 {
			t.Fatalf("%d messages are kept with a note, %d were without", now, messages)
		}
		must(t, survived(ctx))
		must(t, survived(ctx)) // it is no error that there is none
	}
	must(t, j.Stop(ctx, "why"))
	must(t, j.Resume(ctx))
	if m, b := kept(t, j); m != messages || b != bytes || m != 2 {
		t.Errorf("%d messages of %d bytes are kept, %d of %d were", m, b, messages, bytes)
	}
	if names, err := j.Begun(ctx, "t1"); fmt.Sprint(names) != "[a]" || err != nil {
		t.Errorf("the note of another worker is gone: %v, %v", names, err)
	}
	must(t, stays(ctx))
	if data, _, err := j.State(ctx); string(data) != "state" || err != nil {
		t.Errorf("the state is %q, %v", data, err)
	}
}

// Who has begun something is known until it says that it has survived that.
func TestBegun(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	var survived []func(context.Context) error
	for _, worker := range []string{"a", "b", "b"} {
		s, err := j.Begin(ctx, "t1-2", worker)
		must(t, err)
		survived = append(survived, s)
	}
	_, err := j.Begin(ctx, "t1", "c")
	must(t, err)
	_, err = j.stateIn.Put(ctx, j.key("begun.t1-2.x"), []byte("no worker has this name")) // somebody else's
	must(t, err)
	begun := func(task, want string) {
		t.Helper()
		names, err := j.Begun(ctx, task)
		slices.Sort(names)
		if fmt.Sprint(names) != want || err != nil {
			t.Errorf("%s was begun by %v, %v: want %s", task, names, err, want)
		}
	}
	begun("t1-2", "[a b b]")
	begun("t1", "[c]")
	begun("t2", "[]")
	for range 2 { // an answer may be lost
		must(t, survived[1](ctx))
	}
	begun("t1-2", "[a b]")
	for range mostBegun {
		_, err := j.Begin(ctx, "t3", "a")
		must(t, err)
	}
	_, err = j.Begin(ctx, "t3", "a")
	must(t, err)
	if names, err := j.Begun(ctx, "t3"); len(names) != mostBegun || err != nil {
		t.Errorf("%d workers, %v", len(names), err)
	}
	_, wrong := j.Begin(ctx, "t*", "a")
	_, worker := j.Begin(ctx, "t1", "a.b")
	_, task := j.Begun(ctx, ">")
	for _, err := range []error{wrong, worker, task} {
		if err == nil || !strings.Contains(err.Error(), "is no name") {
			t.Errorf("%v: want that it is no name", err)
		}
	}
}
