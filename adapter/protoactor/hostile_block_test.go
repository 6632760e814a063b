package protoactor_test

import (
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/internal/chance"
)

var (
	outsideMutex   sync.Mutex
	outsideChannel = make(chan int)
	outsideGroup   sync.WaitGroup
)

func init() {
	block := func(name string, prepare func(), f func()) {
		hostile[name] = func(t *testing.T) {
			prepare()
			c, hangs := blocking()
			rehearse.Check(t, c, does(2, func(*rehearse.T, actor.Context, ping) { hangs(); f() }))
		}
	}
	nothing := func() {}
	hostile["mutex"] = func(t *testing.T) { // by the clock
		outsideMutex.Lock()
		c := quick()
		c.Blocked = 500 * time.Millisecond
		rehearse.Check(t, c, does(2, func(*rehearse.T, actor.Context, ping) { waitForMutex() }))
	}
	block("channel", nothing, waitForChannel)
	block("group", func() { outsideGroup.Add(1) }, waitForGroup)
	block("network", nothing, waitForNetwork)
	block("pipe", nothing, waitForPipe)
	block("loop", nothing, loopForEver)
	hostile["mutex in the test function"] = func(t *testing.T) {
		outsideMutex.Lock()
		c, hangs := blocking()
		rehearse.Check(t, c, protoactorDriver(func() { hangs(); waitForMutex() }))
	}
	hostile["mutex in set-up"] = func(t *testing.T) {
		outsideMutex.Lock()
		c, hangs := blocking()
		rehearse.Check(t, c, protoactorSetUp(func() { hangs(); waitForMutex() }))
	}
	hostile["mutex in the ninth execution"] = func(t *testing.T) {
		n := 0
		c, hangs := quick(), func() {} // by the clock: it is a deadlock
		if !chance.Numbered() {
			c, hangs = blocking()
		}
		rehearse.Check(t, c, does(2, func(_ *rehearse.T, _ actor.Context, m ping) {
			if n++; n > 16 {
				outsideMutex.TryLock() // from the second on it is locked
				hangs()
				waitForMutex()
			}
		}))
	}
}

func waitForMutex()   { outsideMutex.Lock() }
func waitForChannel() { <-outsideChannel }
func waitForGroup()   { outsideGroup.Wait() }

func waitForNetwork() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	c.Read(make([]byte, 1))
}

func waitForPipe() {
	r, _, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	r.Read(make([]byte, 1))
}

func loopForEver() {
	for i := 0; ; i++ {
		spin += i
	}
}

var spin int

// A handler that waits for something outside control is given up with an error that shows where it waits, and the
// process goes on.
func TestHandlerBlocksOutsideControl(t *testing.T) {
	for name, where := range map[string]string{
		"mutex": "waitForMutex", "channel": "waitForChannel", "group": "waitForGroup", "network": "waitForNetwork",
		"pipe": "waitForPipe", "loop": "loopForEver", "mutex in the test function": "waitForMutex",
		"mutex in set-up": "waitForMutex", "mutex in the ninth execution": "waitForMutex",
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			v := child(t, name, "")
			if (name == "mutex" || name == "mutex in the ninth execution") && chance.Numbered() { // found at once
				v.has(t, "deadlock: blocked for ever: ", "(sync.Mutex.Lock at", "protoactor_test."+where, "the process goes on")
				return
			}
			v.has(t, "--- FAIL: TestHostileProgram", " does not end: no progress for 500ms", "protoactor_test."+where+"(", "the process goes on")
			v.lacks(t, "panic:", "fatal error:", "--- FAIL: TestNextTest")
		})
	}
}
