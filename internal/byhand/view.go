package byhand

import "github.com/rehearse-go/rehearse/internal/render"

// View is what is told of a position. Names and contents are the program's: one line each, bounded, with control
// characters made visible. Who shows them escapes them.
type View struct {
	Under    string   `json:"under"`    // conditions that differ from those of the test: see Under
	Position string   `json:"position"` // as it was reached
	Choices  []string `json:"choices"`  // the same, one by one
	Left     int      `json:"left"`     // choices that were to follow, when the execution ended
	Lost     string   `json:"lost"`     // why one could not be made, "" if all were
	Stale    []string `json:"stale"`    // steps of a schedule that could not be taken

	Steps    []Step    `json:"steps"`
	Earlier  int       `json:"earlier"`  // steps before these, which are left out
	Question string    `json:"question"` // what is chosen now: step, choose, draw or fault; "" if nothing is
	Asker    string    `json:"asker"`    // in the middle of whose step, "" where it is between two
	Enabled  []Option  `json:"enabled"`  // in the default order
	Actors   []Actor   `json:"actors"`
	Before   []Actor   `json:"before"` // one choice earlier; nil at the beginning
	Hidden   int       `json:"hidden"` // actors that are left out
	Waiting  []Message `json:"waiting"`
	More     int       `json:"more"` // messages that wait and are left out

	Over       bool      `json:"over"` // nothing more could happen
	Ended      string    `json:"ended"`
	Invariants []Verdict `json:"invariants"`
	Violations []Wrong   `json:"violations"`
	Warnings   []Wrong   `json:"warnings"`
	Limits     []string  `json:"limits"` // what of the execution is not under control, or was not looked at
	Printed    string    `json:"printed"`
	Time       string    `json:"time"` // virtual
}

// Step is a step that was taken.
type Step struct {
	Number  int      `json:"number"`  // from 1, as in pictures: parts of a step have its number (trace.Counted)
	Choice  int      `json:"choice"`  // how many choices lead behind it
	Default bool     `json:"default"` // the default order takes it
	Auto    bool     `json:"auto"`    // the system took it by itself
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	ID      string   `json:"id"`
	Actor   string   `json:"actor"`
	Content string   `json:"content"` // of its message
	Wrong   []string `json:"wrong"`
}

// Option is a step that can be taken now.
type Option struct {
	Choice  string `json:"choice"` // "" for the first in the default order
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Actor   string `json:"actor"`
	From    string `json:"from"`
	Content string `json:"content"`
}

// Actor is how an actor stands.
type Actor struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Type    string         `json:"type"`
	Fields  []render.Field `json:"fields"`
	More    int            `json:"more"`   // fields that are left out
	Unseen  string         `json:"unseen"` // why there are no fields, or not all there is; "" if they are all
	Stopped bool           `json:"stopped"`
	Crashed bool           `json:"crashed"`
	Blocked bool           `json:"blocked"`
	Awaits  string         `json:"awaits"`
	Waiting int            `json:"waiting"` // messages to it that were sent and not handled
}

// Message is a message that was sent and not handled.
type Message struct {
	Name    string `json:"name"`
	To      string `json:"to"`
	Content string `json:"content"`
	Kind    string `json:"kind"`
}

// Verdict is what an invariant says.
type Verdict struct {
	Name  string `json:"name"`
	Asked bool   `json:"asked"` // false: Holds says nothing
	Holds bool   `json:"holds"`
	Text  string `json:"text"` // what is wrong, or why it was not asked
}

// Wrong is a violation or a warning.
type Wrong struct {
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	Where string `json:"where"`
	Key   string `json:"key"`
	Stack string `json:"stack"`
	Step  int    `json:"step"` // in which it was seen, 0: at the end
}
