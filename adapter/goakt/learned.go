package goakt

import (
	"reflect"
)

// learned are types of messages that have no name outside of the framework. They are learned from what it sends when
// it is tried out.
type learned struct {
	health       reflect.Type // the question for an actor's health
	asyncRequest struct {
		reflect.Type
		id, replyTo, message uintptr
	}
	asyncResponse struct {
		reflect.Type
		message, err uintptr
	}
	panicking struct {
		reflect.Type
		err, supervisor, strategy, directive uintptr
	}
	deadLetter struct {
		reflect.Type
		message, reason uintptr
	}
}

// learn looks at a message that the framework has sent.
func (l *learned) learn(c *checker, msg any) {
	t := reflect.TypeOf(msg)
	switch t.String() {
	case "*commands.HealthCheckRequest":
		l.health = t
	case "*commands.AsyncRequest":
		l.asyncRequest.Type = t
		c.fields(t.Elem(), fields{
			{"CorrelationID", "string", &l.asyncRequest.id}, {"ReplyTo", "string", &l.asyncRequest.replyTo},
			{"Message", "interface {}", &l.asyncRequest.message},
		})
	case "*commands.AsyncResponse":
		l.asyncResponse.Type = t
		c.fields(t.Elem(), fields{
			{"Message", "interface {}", &l.asyncResponse.message}, {"Error", "string", &l.asyncResponse.err},
		})
	case "*commands.Panicking":
		l.panicking.Type = t
		c.fields(t.Elem(), fields{
			{"Err", "error", &l.panicking.err}, {"Supervisor", "*supervisor.Supervisor", &l.panicking.supervisor},
			{"Strategy", "supervisor.Strategy", &l.panicking.strategy},
			{"Directive", "supervisor.Directive", &l.panicking.directive},
		})
	case "*commands.SendDeadletter":
		l.deadLetter.Type = t
		letter := c.field(t.Elem(), "Deadletter", "commands.Deadletter")
		if letter.Type == nil {
			return
		}
		c.fields(letter.Type, fields{
			{"Message", "interface {}", &l.deadLetter.message}, {"Reason", "string", &l.deadLetter.reason},
		})
		l.deadLetter.message += letter.Offset
		l.deadLetter.reason += letter.Offset
	}
}

// missing names the first that was not learned, "" if all were.
func (l *learned) missing() string {
	for name, t := range map[string]reflect.Type{"HealthCheckRequest": l.health, "AsyncRequest": l.asyncRequest.Type,
		"AsyncResponse": l.asyncResponse.Type, "Panicking": l.panicking.Type, "SendDeadletter": l.deadLetter.Type} {
		if t == nil {
			return name
		}
	}
	return ""
}

// What people know messages of the framework's by whose types have no name.
type (
	ChildFailed   struct{ Reason string } // a parent is told
	RequestFailed struct{ Reason string } // the answer to a Request is an error
	Passivate     struct{ Reason string } // an actor's time is up
)

// valueOf is what people know a message by.
func (f *framework) valueOf(msg any, t reflect.Type) any {
	switch t {
	case f.asyncRequest.Type:
		return *at[any](behind(msg), f.asyncRequest.message)
	case f.asyncResponse.Type:
		m := behind(msg)
		if err := *at[string](m, f.asyncResponse.err); err != "" {
			return RequestFailed{err}
		}
		return *at[any](m, f.asyncResponse.message)
	case f.panicking.Type:
		return ChildFailed{(*at[error](behind(msg), f.panicking.err)).Error()}
	}
	return msg
}
