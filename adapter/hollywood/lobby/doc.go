// Package lobby is an example: the lobby of a game server, on Hollywood. Each player is an actor. A room that is closed
// stops its players. A moderator stops a player who is banned, and tells the scoreboard when the player is gone.
//
// It has a bug that depends on the order of messages, unless Config.Fixed. It breaks in this order: the moderator is
// told who bob is; the room is closed and stops bob; the moderator's Stop comes to bob's mailbox behind that. The
// framework drops what waits in the mailbox of an actor that stops, and nobody ever ends the moderator's wait.
// Hollywood's issue 161 was the same for an actor that does not exist, and was fixed; this order is still open in
// v1.0.5. The fix has the room alone stop players, so a player gets one Stop.
package lobby
