package tap

import (
	"testing"

	"github.com/rehearse-go/rehearse"
)

// Every pong is answered by a ping, so there is one order.
func TestPingPong100(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Strategy: "source"}, PingPong(100))
}

func TestPingPong1000(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Strategy: "random", Seed: 1, Budget: "1x"}, PingPong(1000))
}

func TestIds(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}, Ids())
}
