package messenger_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/messenger"
)

// byHand is the length of this schedule: ada and ben enter; the server and then ada go on until her message is sent;
// only then, before he hears it, ben leaves.
const byHand = 4

// chat has ada write to ben, who logs in and out.
func chat(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		log := &messenger.Log{}
		var service *messenger.Service
		t.SetUp(func() {
			var err error
			service, err = messenger.Start(protoactor.NewActorSystem(), messenger.Config{Users: []string{"ada", "ben"}, Log: log, Fixed: fixed})
			if err != nil {
				t.Fatal(err)
			}
		})
		service.Enter("ben")
		service.Enter("ada", messenger.Say{To: "ben", Text: "coffee?"})
		service.Leave("ben")
		t.AtEnd(func() {
			if len(log.Read)+log.Returned != 1 {
				t.Errorf("ben read %q and ada got %d messages back: one message should have been read or returned", log.Read, log.Returned)
			}
		})
	})
}

// Actors share the log: they only add to it what the test reads in the end.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}

var unread = rehearse.Config{Strategy: "random", Seed: 1, Checks: bookkeeping, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestMessenger(t *testing.T) { rehearse.Check(t, unread, chat(false)) }

func TestMessengerPicture(t *testing.T) { shows.Picture(t, "TestMessenger") }

func TestMessengerSchedule(t *testing.T) { shows.Schedule(t, unread, chat(false), byHand) }

func TestMessengerFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping}, chat(true))
}

func TestMessengerStrategies(t *testing.T) { shows.Strategies(t, unread, chat(false), chat(true)) }
