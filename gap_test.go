package rehearse_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

// a passes on what it gets; b has what a passes on between what the test function sends.
type passesOn struct{ To actor.Ref }

func (p *passesOn) Receive(c *actor.Context, m any) {
	if p.To != (actor.Ref{}) {
		c.Send(p.To, m)
	}
}

// An actor that is stopped between a delivery and the first send of its handler: mailbox does not have that order, and says so where what
// comes after the stop could come before the send.
func TestStopBeforeTheFirstSend(t *testing.T) {
	for _, c := range []struct {
		name  string
		model rehearse.Model
		then  bool // the test function sends once more after the stop
		gap   bool
	}{
		{"sends after the stop", rehearse.Mailbox, true, true},
		{"ends with the stop", rehearse.Mailbox, false, false},
		{"under mailbox-serial", rehearse.MailboxSerial, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sys := actor.New(func(t *rehearse.T, ctx *actor.Context) {
				var a, b actor.Ref
				t.SetUp(func() {
					b = ctx.SpawnNamed("b", &passesOn{})
					a = ctx.SpawnNamed("a", &passesOn{To: b})
				})
				ctx.Send(a, 1)
				ctx.StopActor(a)
				if c.then {
					ctx.Send(b, 2)
				}
			})
			for _, strategy := range []string{"naive", "optimal"} {
				r, err := rehearse.Explore(rehearse.Config{Model: c.model, Strategy: strategy,
					Checks: rehearse.Levels{rehearse.Orphan: rehearse.Off, rehearse.OrphanDead: rehearse.Off}}, sys)
				if err != nil || r.Complete == c.gap {
					t.Errorf("%s: %v, %v", strategy, r, err)
				}
				if says := strings.Contains(r.PassedOver, "and before it sends anything"); says != c.gap {
					t.Errorf("%s: %q", strategy, r.PassedOver)
				}
			}
		})
	}
}
