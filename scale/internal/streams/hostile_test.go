package streams

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// Any bytes are an envelope or an error, and an envelope has one form.
func FuzzEnvelope(f *testing.F) {
	for _, object := range []bool{false, true} {
		e, err := newEnvelope([]byte("data"), object)
		if err != nil {
			f.Fatal(err)
		}
		b := e.encode()
		f.Add(b)
		f.Add(b[:len(b)-1])
		f.Add(append(b, 0))
	}
	f.Add([]byte{})
	f.Add([]byte{magic, version + 1, 0})
	f.Add(append([]byte{magic, version, kindObject}, bytes.Repeat([]byte{255}, referenceLength-3)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := decode(b)
		if err != nil {
			return
		}
		if again := e.encode(); !bytes.Equal(again, b) {
			t.Errorf("%x was read, and is written %x", b, again)
		}
		if e.object && (e.size < 0 || e.size > MaxData || e.data != nil) {
			t.Errorf("an object of %d bytes, %d of data", e.size, len(e.data))
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add(encodeSplit(0))
	f.Add(encodeSplit(1 << 30))
	f.Add([]byte{magic, version, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		idle, ok := decodeSplit(b)
		if ok && (idle < 0 || idle > maxIdle || !bytes.Equal(encodeSplit(idle), b)) {
			t.Errorf("%x is %d", b, idle)
		}
	})
}

// object makes a reference to an object that holds stored, by somebody who claims that it holds claimed.
func object(t *testing.T, j *Job, claimed, stored []byte) []byte {
	t.Helper()
	e, err := newEnvelope(claimed, true)
	must(t, err)
	if stored != nil {
		_, err = j.objects.Put(within(t), jetstream.ObjectMeta{Name: e.name()}, bytes.NewReader(stored))
		must(t, err)
	}
	return e.encode()
}

// What others wrote to the streams is an error of that message alone, as a task and as a result.
func TestHostileMessages(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	link, err := newEnvelope(nil, true)
	must(t, err)
	target, err := j.objects.PutString(ctx, "target", "")
	must(t, err)
	_, err = j.objects.AddLink(ctx, link.name(), target)
	must(t, err)
	hostile := []struct {
		subject, want string
		data          []byte
	}{
		{"empty", "no message of Rehearse", nil},
		{"json", "no message of Rehearse", []byte(`{"task":1}`)},
		{"version", "version 2", append([]byte{magic, 2, 0}, make([]byte, 16)...)},
		{"kind", "kind 9", append([]byte{magic, 1, 9}, make([]byte, 16)...)},
		{"short", "to an object has 20 bytes", append([]byte{magic, 1, 1}, make([]byte, 17)...)},
		{"huge", "at most 67108864 are read", append([]byte{magic, 1, 1}, bytes.Repeat([]byte{255}, referenceLength-3)...)},
		{"missing", "is not on the server", object(t, j, []byte("a"), nil)},
		{"other", "other bytes", object(t, j, []byte("a"), []byte("b"))},
		{"longer", "other bytes", object(t, j, []byte("a"), bytes.Repeat([]byte("a"), 1<<20))},
		{"shorter", "other bytes", object(t, j, []byte("aa"), []byte("a"))},
		{"link", "", link.encode()}, // to another object, whose digest counts
		{"a name with $igns", "no task has this name", nil},
		{strings.Repeat("long.", 60) + "name", "no task has this name", nil},
	}
	for _, h := range hostile {
		for _, kind := range []string{"task.", "result."} {
			if h.subject == "a name with $igns" {
				h.subject = "$igns"
			}
			_, err := j.js.Publish(ctx, j.subject(kind+h.subject), h.data)
			must(t, err)
		}
	}
	all := results(t, j, len(hostile))
	for i, h := range hostile {
		task, err := j.PullTask(ctx)
		for what, err := range map[string]error{"task": err, "result": all[i].Err} {
			var bad *BadError
			if h.want == "" && err != nil || h.want != "" && (!errors.As(err, &bad) || !strings.Contains(err.Error(), h.want)) {
				t.Errorf("%s %s: %v, want %q", what, h.subject, err, h.want)
			}
			if err != nil && len(err.Error()) > 400 {
				t.Errorf("%s %s: the error has %d bytes", what, h.subject, len(err.Error()))
			}
		}
		if task == nil {
			t.Fatalf("%s: there is no task to report", h.subject)
		}
		must(t, task.Ack(ctx))
	}
}

// What others wrote to the buckets is not believed either.
func TestHostileState(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	large := make([]byte, maxState+1)
	_, err := j.stateIn.Put(ctx, j.key(keyState), large)
	must(t, err)
	var bad *BadError
	if _, _, err := j.State(ctx); !errors.As(err, &bad) {
		t.Errorf("the state: %v", err)
	}
	_, err = j.stateIn.Put(ctx, j.key(keyStop), bytes.Repeat([]byte{0xff}, maxState))
	must(t, err)
	if why, stopped, err := j.Stopped(ctx); !stopped || len(why) > maxWhy*3 || err != nil {
		t.Errorf("stopped: %d bytes, %v, %v", len(why), stopped, err)
	}
	_, err = j.aliveIn.Put(ctx, j.key("worker.large"), large)
	must(t, err)
	_, err = j.aliveIn.Put(ctx, j.key("worker.a=b"), nil)
	must(t, err)
	must(t, j.Beat(ctx, "right", nil))
	if all, err := j.Workers(ctx); len(all) != 1 || all[0].Name != "right" || err != nil {
		t.Errorf("%d workers, %v", len(all), err)
	}
	// streams with our names that are none of ours
	for _, meta := range []map[string]string{nil, {metaJob: "x", metaID: "../../x"}, {metaJob: "y"}} {
		name := "rehearse-x-results"
		_, err := j.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: name, Subjects: []string{"x"}, Metadata: meta})
		must(t, err)
		if _, err := Open(ctx, j.nc, "x", ""); err == nil || !strings.Contains(err.Error(), "was not made by Rehearse") {
			t.Errorf("%v: %v", meta, err)
		}
		if all, err := List(ctx, j.nc); len(all) != 1 || err != nil {
			t.Errorf("%v: %+v, %v", meta, all, err)
		}
	}
}

// A job of another version is refused, not misread.
func TestAnotherVersion(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	s, err := j.js.Stream(ctx, j.tasks())
	must(t, err)
	c := s.CachedInfo().Config
	c.Metadata[metaFormat] = "2"
	_, err = j.js.UpdateStream(ctx, c)
	must(t, err)
	if _, err := Open(context.Background(), j.nc, j.Name(), ""); err == nil || errors.Is(err, ErrLost) ||
		!strings.Contains(err.Error(), "another version of Rehearse") {
		t.Errorf("%v: want that the version is another one", err)
	}
	// The others are listed with it.
	_, err = Create(ctx, j.nc, "second", Options{})
	must(t, err)
	all, err := List(ctx, j.nc)
	if err != nil || len(all) != 2 || !all[0].Foreign || all[0].Whole || all[1].Foreign || !all[1].Whole {
		t.Errorf("%+v, %v", all, err)
	}
}
