// Package sessions is an example: the gate of a chat server, on GoAkt. Each user who has logged in has a session, an
// actor that goes by the user's name. Who logs in again gets a new session, and the old one is stopped before.
//
// It has a bug that depends on the order of messages, unless Config.Fixed. A session that has stopped keeps its name
// until an actor of the framework's own, death watch, has handled that it has. Where the gate spawns the new session
// before that, the framework ignores that the name is taken: the session is there, and nobody finds it. What is posted
// to the user then is lost. The framework drops it without a word, or says that there is no such actor, and the new
// session is not stopped with the gate. So it is in v4.2.1. The fix gives each session a name of its own.
package sessions
