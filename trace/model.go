package trace

import (
	"fmt"
	"strings"
)

// Model is a delivery model: which pending messages may be delivered next. internal/delivery defines the enabled sets.
type Model uint8

// The five delivery models.
const (
	DefaultModel  Model = iota // what the system under test says: bag for native actors, mailbox for in-process frameworks
	Bag                        // any pending message: the actor model
	FIFO                       // per sender and receiver in sending order: remote actors
	Causal                     // fifo and causally earlier messages first
	Mailbox                    // the oldest of the receiver's mailbox, handlers on parallel threads: in-process frameworks
	MailboxSerial              // the same with one handler at a time
)

var modelNames = []string{"default", "bag", "fifo", "causal", "mailbox", "mailbox-serial"}

// Queues reports whether an actor takes its messages in the order in which they reached its mailbox: mailbox,
// mailbox-serial. Timeouts queue like other messages there, but for those that end a call (Message.EndsCall), and which
// step comes next decides between actors, not between the messages of one.
func (m Model) Queues() bool { return m == Mailbox || m == MailboxSerial }

func (m Model) String() string { return modelNames[m] }

// ParseModel reads a model's name; "" is the default.
func ParseModel(s string) (Model, error) { return parseName[Model]("delivery model", modelNames, s) }

// TimerMode says when set timers may fire.
type TimerMode uint8

// The two timer modes.
const (
	Quiescent TimerMode = iota // only when nothing else can happen, earliest first
	Async                      // at any point after they are set
)

var timerNames = []string{"quiescent", "async"}

func (m TimerMode) String() string { return timerNames[m] }

// ParseTimerMode reads a timer mode's name; "" is quiescent.
func ParseTimerMode(s string) (TimerMode, error) {
	return parseName[TimerMode]("timer mode", timerNames, s)
}

func parseName[T ~uint8](what string, names []string, s string) (T, error) {
	if s == "" {
		return 0, nil
	}
	for i, n := range names {
		if n == s {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q: want one of %s", what, s, strings.Join(names, ", "))
}
