package gotest

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// busyVariable has the process be busy for some time.
const busyVariable = "GOTEST_BUSY"

func busy() {
	for began := ProcessorTime(); ProcessorTime()-began < 30*time.Millisecond; {
	}
}

// What this process uses is counted, and what a child has used when it has ended.
func TestProcessorTime(t *testing.T) {
	if os.Getenv(busyVariable) != "" {
		busy()
		return
	}
	self, all := ProcessorTime(), ProcessorTimeWithChildren()
	c := exec.Command(os.Args[0], "-test.run=^TestProcessorTime$")
	c.Env = append(os.Environ(), busyVariable+"=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	busy()
	self, all = ProcessorTime()-self, ProcessorTimeWithChildren()-all
	child := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if self < 30*time.Millisecond || self > time.Minute {
		t.Errorf("this process used %v", self)
	}
	if runtime.GOOS != "windows" && all < self+child-time.Millisecond {
		t.Errorf("the child used %v, and that of all is %v, of this process %v", child, all, self)
	}
}
