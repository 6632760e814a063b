// Package lobby is the lobby of a game server, on Hollywood. Each player is an actor. A room that is closed stops its
// players. A moderator stops a player who is banned, and tells the scoreboard when the player is gone.
package lobby
