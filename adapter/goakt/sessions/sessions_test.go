package sessions_test

import (
	"context"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/adapter/goakt/sessions"
)

// evening has a user log in again, to whom something is posted then.
func evening(fixed bool) rehearse.System {
	return goakt.System(func(t *rehearse.T) {
		system, err := goakt.NewActorSystem("chat")
		if err != nil {
			t.Fatalf("%v", err)
		}
		t.Cleanup(func() { _ = system.Stop(context.Background()) })
		var chat *sessions.Chat
		t.SetUp(func() {
			if chat, err = sessions.Open(system, sessions.Config{Fixed: fixed}); err == nil {
				err = chat.Login("alice")
			}
			if err != nil {
				t.Fatalf("%v", err)
			}
		})
		_ = chat.Login("alice")
		_ = chat.Post("alice", "hello")
		t.AtEnd(func() {
			if shown := chat.Screens["alice"]; len(shown) != 1 {
				t.Errorf("alice sees %q", shown)
			}
		})
	})
}

// byHand is the length of this schedule: the gate goes on when the old session has stopped, before death watch.
const byHand = 4

func loses(strategy string) rehearse.Config {
	return rehearse.Config{Strategy: strategy, Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}
}

func TestSessions(t *testing.T) { rehearse.Check(t, loses("random"), evening(false)) }

// What every strategy finds, and by how short a schedule.
func TestSessionsStrategies(t *testing.T) {
	for _, strategy := range []string{"source", "optimal", "auto"} {
		r, err := rehearse.Explore(loses(strategy), evening(false))
		if err != nil || len(r.Findings) != 1 || len(r.Findings[0].Schedule.Steps) > byHand {
			t.Errorf("%s: %v, findings %+v", strategy, err, r.Findings)
		}
	}
}

func TestSessionsFixed(t *testing.T) { rehearse.Check(t, rehearse.Config{}, evening(true)) }
