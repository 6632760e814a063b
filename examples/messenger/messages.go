package messenger

import "github.com/asynkron/protoactor-go/actor"

// Enter asks a user to log in; he writes the messages when he is welcome.
type Enter struct{ Messages []Say }

// Leave asks a user to log out.
type Leave struct{}

// LogIn tells the server of a user.
type LogIn struct {
	Name string
	User *actor.PID
}

// Welcome is the answer.
type Welcome struct{}

// LogOut tells the server that a user goes.
type LogOut struct {
	Name string
	User *actor.PID
}

// Bye is the answer: nothing is forwarded to the user after it.
type Bye struct{}

// Say is a message for another user.
type Say struct{ To, Text string }

// Hear is the message, forwarded.
type Hear struct{ Text string }

// Away tells the writer that nobody of that name is logged in.
type Away struct{ Name string }
