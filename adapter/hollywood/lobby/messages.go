package lobby

import "github.com/anthdm/hollywood/actor"

// Join lets a player into the room.
type Join struct{ Name string }

// Move is a move in a game.
type Move struct{}

// Close closes the room.
type Close struct{}

// Ban has the moderator remove a player.
type Ban struct{ Name string }

// Ask asks the room for a player.
type Ask struct{ Name string }

// Player is the answer. PID is nil if there is none of that name.
type Player struct {
	Name string
	PID  *actor.PID
}

// Remove asks the room to remove a player, and to tell the scoreboard when that is done.
type Remove struct{ Name string }

// Removed says that a player is gone.
type Removed struct{ Name string }

// Closed says that the room is closed.
type Closed struct{}
