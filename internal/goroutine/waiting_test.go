package goroutine

import (
	"reflect"
	"testing"
)

// What a stack trace says is read: what the goroutine waits for, where in the program, and who has started it.
func TestParseStack(t *testing.T) {
	for stack, want := range map[string]Waiting{
		"goroutine 7 [sync.Mutex.Lock, 2 " +
			"minutes]:\ninternal/sync.runtime_SemacquireMutex(0x1)\n\t/go/src/runtime/sema.go:95 +0x25\n" +
			"sync.(*Mutex).Lock(...)\n\t/go/src/sync/mutex.go:46\nexample.com/bank.(*Account).Transfer.func1()\n\t/home/u/bank/bank.go:12 +0x1d\n" +
			"created by example.com/bank.(*Account).Transfer in goroutine 3\n\t/home/u/bank/bank.go:10 +0x1d": {7,
			"sync.Mutex.Lock",
			[]Frame{{"example.com/bank.(*Account).Transfer.func1", "bank.go", 12}},
			Frame{"example.com/bank.(*Account).Transfer", "bank.go", 10}},
		"goroutine 12 [chan send (nil chan)]:\nmain.f(0x1, {0x2, 0x3})\n\t/x/f.go:3 " +
			"+0x1\ngithub.com/rehearse-go/rehearse/actor.(*handlers).invoke(0x1)\n\t/r/h.go:9 +0x1\n" +
			"created by github.com/rehearse-go/rehearse/internal/goroutine.Go in goroutine 2\n\t/r/count.go:13 +0x1": {12,
			"chan send (nil chan)", []Frame{{"main.f", "f.go", 3}}, Frame{}},
		"goroutine 9 [sync.WaitGroup.Wait]:\nsync.(*WaitGroup).Wait(0x1)\n\t/go/src/sync/waitgroup.go:118 " +
			"+0x48\nmain.g.func2()\n\t/x/g.go:8 +0x1\n" +
			"created by sync.(*WaitGroup).Go in goroutine 1\n\t/go/src/sync/waitgroup.go:237 +0x73": {9, "sync.WaitGroup.Wait",
			[]Frame{{"main.g.func2", "g.go", 8}}, Frame{"main.g.func2", "g.go", 8}},
	} {
		if got, ok := parseStack(stack); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", stack, got, want)
		}
	}
	if w, ok := parseStack("no stack"); ok {
		t.Errorf("%+v", w)
	}
}

// The place of a goroutine of this process is found, among those that were asked for alone.
func TestWhereWaiting(t *testing.T) {
	id, release := make(chan uint64), make(chan struct{})
	go func() { id <- ID(); <-release }()
	defer close(release)
	asked := <-id
	for {
		w := WhereWaiting([]uint64{asked, 1 << 40})
		if len(w) != 1 || w[0].ID != asked {
			t.Fatalf("%+v", w)
		}
		if w[0].For == "chan receive" { // else it has not come that far
			return
		}
	}
}
