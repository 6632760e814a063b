// Package till is what swarms of the tests of the command explore: a test binary like that of a user. It links no
// broker. SUBTLE: the package of the NATS server that measures its process starts a goroutine each second, in whatever
// links it. While handlers run it would be taken for one of theirs.
package till

import (
	"os"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

// programVariable says what the test does. It travels, so that workers know.
const programVariable = "REHEARSE_TEST_PROGRAM"

// beganVariable names a file that handlers make and append to, which then take a while.
const beganVariable = "REHEARSE_TEST_BEGAN"

type sender struct{ to actor.Ref }

func (s *sender) Receive(ctx *actor.Context, msg any) { ctx.Send(s.to, msg) }

type adder struct{ sum int }

func (a *adder) Receive(ctx *actor.Context, msg any) {
	if began := os.Getenv(beganVariable); began != "" {
		if f, err := os.OpenFile(began, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
			f.WriteString(".")
			f.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	a.sum = 2*a.sum + msg.(int)
	if os.Getenv(programVariable) == "fails" && a.sum == 7 { // 2, 1, 3 after each other make 8, 1, 3, 2 make 12
		ctx.T().Errorf("the sum is %d", a.sum)
	}
}

// four messages arrive in 24 orders.
func four() rehearse.System {
	return actor.New(func(t *rehearse.T, ctx *actor.Context) {
		to := ctx.SpawnNamed("adder", &adder{})
		for i := range 4 {
			ctx.Send(ctx.SpawnNamed("sender", &sender{to}), i)
		}
	})
}

// TestAlone takes variables of Rehearse back.
func TestAlone(t *testing.T) {
	t.Setenv("REHEARSE_SWARM", "")
	if os.Getenv(programVariable) == "untold" {
		t.Setenv("REHEARSE_REPORT", "")
	}
	if r, err := rehearse.Explore(rehearse.Config{Strategy: "reverse"}, four()); err != nil || r.Executions != 24 {
		t.Error(r, err)
	}
}

// TestExplore tells what came of the program by itself.
func TestExplore(t *testing.T) {
	if os.Getenv(programVariable) != "" {
		r, err := rehearse.Explore(rehearse.Config{}, four())
		t.Log(r, err)
	}
}

// TestProgram checks a program.
func TestProgram(t *testing.T) {
	if os.Getenv(programVariable) == "dies" && os.Getenv("REHEARSE_WORKER") != "" {
		println("my file is not there")
		os.Exit(3)
	}
	c := rehearse.Config{}
	if os.Getenv(beganVariable) != "" {
		c.Recheck = -1 // which would take longer than the test
	}
	if os.Getenv(programVariable) != "" {
		rehearse.Check(t, c, four())
	}
}
