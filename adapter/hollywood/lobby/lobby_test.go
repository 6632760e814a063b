package lobby_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/adapter/hollywood/lobby"
)

// byHand is the length of this schedule: the moderator asks who the player is before the room is told to close, and
// sends its Stop behind the room's, before the player takes that.
const byHand = 4

// evening bans a player while the room closes.
func evening(fixed bool) rehearse.System {
	return hollywood.System(func(t *rehearse.T) {
		board := &lobby.Board{}
		var l *lobby.Lobby
		t.SetUp(func() {
			l = lobby.Open(hollywood.NewEngine(), lobby.Config{Board: board, Fixed: fixed})
			l.Join("bob")
		})
		l.Ban("bob")
		l.Close()
		t.AtEnd(func() {
			if len(board.Banned) != 1 || !board.Closed {
				t.Errorf("banned %v, closed %v", board.Banned, board.Closed)
			}
		})
	})
}

var hangs = rehearse.Config{Strategy: "random", Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Deadlock}}

func TestLobby(t *testing.T) { rehearse.Check(t, hangs, evening(false)) }

// What every strategy finds, and by how short a schedule.
func TestLobbyStrategies(t *testing.T) {
	for _, strategy := range []string{"random", "source", "optimal", "auto"} {
		c := hangs
		c.Strategy = strategy
		r, err := rehearse.Explore(c, evening(false))
		if err != nil || len(r.Findings) != 1 || len(r.Findings[0].Schedule.Steps) > byHand {
			t.Errorf("%s: %v, findings %+v", strategy, err, r.Findings)
		}
	}
}

func TestLobbyFixed(t *testing.T) { rehearse.Check(t, rehearse.Config{}, evening(true)) }
