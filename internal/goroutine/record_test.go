package goroutine

import (
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Goroutines that have ended show with their place, and who started them.
func TestRecord(t *testing.T) {
	r, err := Record()
	if err != nil {
		t.Fatal(err)
	}
	self := ID()
	_, file, line, _ := runtime.Caller(0)
	var wg sync.WaitGroup
	wg.Add(3)
	go func() { // line+3
		go wg.Done() // line+4
		wg.Done()
	}()
	func() {
		go wg.Done() // line+8
	}()
	wg.Wait()
	next, stop := iter.Pull(slices.Values([]int{1, 2}))
	next()
	stop()
	starts, err := r.Stop()
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]Start{}
	for _, s := range starts {
		if len(s.Stack) > 0 && s.Stack[0].File == file {
			found[s.Stack[0].Line-line] = s
		}
		if s.Coroutine && !slices.ContainsFunc(s.Stack,
			func(f Frame) bool { return strings.HasSuffix(f.Function, ".TestRecord") }) {
			t.Errorf("the coroutine's stack: %v", s.Stack)
		}
	}
	if len(found) != 3 || found[3].By != self || found[8].By != self || found[4].By != found[3].ID || found[3].By == 0 {
		t.Errorf("self %d, line %d of %s; starts by line: %+v", self, line, filepath.Base(file), found)
	}
	if n := len(starts) - len(slices.DeleteFunc(slices.Clone(starts), func(s Start) bool { return s.Coroutine })); n != 1 {
		t.Errorf("%d coroutines, want 1", n)
	}
}

func TestOnlyOneRecords(t *testing.T) {
	r, err := Record()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Record(); err == nil {
		t.Error("two record at once")
	}
	if _, err := r.Stop(); err != nil {
		t.Error(err)
	}
}

// Whatever is cut or changed gives starts or an error, never a panic or a loop.
func FuzzParse(f *testing.F) {
	r, err := Record()
	if err != nil {
		f.Fatal(err)
	}
	done := make(chan struct{})
	go close(done)
	<-done
	if _, err := r.Stop(); err != nil {
		f.Fatal(err)
	}
	whole := r.data.Bytes()
	f.Add(whole)
	for n := 0; n < len(whole); n += max(1, len(whole)/40) {
		f.Add(whole[:n])
	}
	for _, kind := range []byte{evExperimental, 60, 255} {
		odd := slices.Clone(whole)
		odd[headerSize] = kind
		f.Add(odd)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if starts, err := parse(data); err != nil && starts != nil {
			t.Error("starts and an error")
		}
	})
}

func TestParseRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, data := range []string{"", "nothing of the kind", "go 1.26 trace\x00\x00\x00\x3c",
		"go 1.26 trace\x00\x00\x00\x01\x01\x01\x01\x01\x3c\x01\x01\x01\x02\x0e\x3c"} {
		if _, err := parse([]byte(data)); err == nil {
			t.Errorf("%q is taken", data)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	for b.Loop() {
		r, err := Record()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Stop(); err != nil {
			b.Fatal(err)
		}
	}
}
