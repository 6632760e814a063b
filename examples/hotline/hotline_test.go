package hotline_test

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/hotline"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
)

// evening is a call that waits when the day ends, and then the bell.
func evening(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		var line *hotline.Line
		t.SetUp(func() {
			var err error
			if line, err = hotline.Open(hotline.Config{Day: time.Second, Fixed: fixed}); err != nil {
				t.Fatal(err)
			}
			line.Call("ann")
			time.Sleep(2 * time.Second)
		})
		line.Ring()
		t.AtEnd(func() {
			if n := line.Waiting(); n > 0 {
				t.Errorf("%d calls were never served", n)
			}
		})
	})
}

// unserved finds the bug: the timer and the queue are both ready, and Go chooses one by a random number. Executions are
// tried under several.
var unserved = rehearse.Config{Strategy: "naive", Expect: &rehearse.Expectation{Kind: rehearse.Assertion, Text: "never served"}}

func TestHotline(t *testing.T) { rehearse.Check(t, unserved, evening(false)) }

func TestHotlinePicture(t *testing.T) { shows.Picture(t, "TestHotline") }

func TestHotlineFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Strategy: "naive"}, evening(true))
}
