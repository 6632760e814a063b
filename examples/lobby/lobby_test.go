package lobby_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/lobby"
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

func TestLobbySchedule(t *testing.T) { shows.Schedule(t, hangs, evening(false), byHand) }

func TestLobbyFixed(t *testing.T) { rehearse.Check(t, rehearse.Config{}, evening(true)) }

func TestLobbyStrategies(t *testing.T) { shows.Strategies(t, hangs, evening(false), evening(true)) }
