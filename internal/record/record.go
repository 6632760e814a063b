// Package record is what a Check tells the command: one JSON object a line, appended to the file that REHEARSE_REPORT
// names. page.go makes an HTML page of records.
//
// It is apart from what the command tells a Check (internal/settings): that leads to all strategies, and readers of
// records need none. They draw the pictures that are in them (internal/report).
package record

import "github.com/rehearse-go/rehearse/internal/report"

// Version is the version of the format.
const Version = 1

// Record is the result of one Check.
type Record struct {
	Version    int     `json:"version"`
	Package    string  `json:"package"`
	Test       string  `json:"test"`
	Ordinal    int     `json:"ordinal"` // of the Check within the test
	Model      string  `json:"model"`
	Timers     string  `json:"timers"`
	Faults     string  `json:"faults,omitempty"` // that were allowed
	Strategy   string  `json:"strategy"`
	Seed       uint64  `json:"seed"`
	Budget     string  `json:"budget"`
	Executions int     `json:"executions"`
	Blocked    int     `json:"blocked"`
	Classes    int     `json:"classes"` // distinct classes seen, 0 if not counted
	Deliveries int     `json:"deliveries"`
	Replayed   int     `json:"replayed"`
	Rechecked  int     `json:"rechecked"`            // repeats
	Unrepeated int     `json:"unrepeated,omitempty"` // repeats for which no time was left
	Tasks      int     `json:"tasks,omitempty"`      // of a swarm that were answered
	Saved      int     `json:"saved"`                // saved schedules replayed first
	Seconds    float64 `json:"seconds"`
	Complete   bool    `json:"complete"`
	Bounded    bool    `json:"bounded,omitempty"` // an execution was cut at the bound on steps
	// why it stopped: complete, done, budget, found, stopped, replayed, error
	Reason string `json:"reason"`
	// nothing was executed: settings that do not go together, or a file that cannot be used
	Refused      bool   `json:"refused,omitempty"`
	Uncontrolled string `json:"uncontrolled,omitempty"`
	Varied       string `json:"varied,omitempty"` // what held something else when an execution was repeated
	// how an execution went otherwise when only what Go chooses by itself was changed
	Drawn    string `json:"drawn,omitempty"`
	Bypassed string `json:"bypassed,omitempty"` // what the program brings and the system does not run
	// memory that actors share, where it keeps the result from being complete
	Shared   string `json:"shared,omitempty"`
	Unseen   string `json:"unseen,omitempty"`   // behind what nobody could look for shared memory
	Beyond   string `json:"beyond,omitempty"`   // a timer that the horizon left out
	Expected string `json:"expected,omitempty"` // the violation that the test states
	// of a strategy with a bound of its own: up to where everything was executed
	Within string `json:"within,omitempty"`
	// of Config.Guide: how far it was followed, and how many steps were filled in
	Guided   string    `json:"guided,omitempty"`
	Order    string    `json:"order,omitempty"`    // the execution that followed it and violates nothing, drawn
	Estimate *Estimate `json:"estimate,omitempty"` // of the executions that there are for the strategy
	Findings []Finding `json:"findings,omitempty"`
	Orders   []Orders  `json:"orders,omitempty"` // that were seen; only where OrdersVariable asks for it
	Warnings []string  `json:"warnings,omitempty"`
	Limits   []string  `json:"limits,omitempty"` // what was not looked at, or not executed, in words
}

// OrdersVariable names the variable that is 1 where records are to say which orders of messages were seen. It is no
// setting: rehearse report sets it.
const OrdersVariable = "REHEARSE_ORDERS"

// Orders is how many pairs of message types actors of a type were seen to receive in which order, as a coverage profile
// counts them.
type Orders struct {
	Actor      string `json:"actor"`
	Both       int    `json:"both"`
	OneWay     int    `json:"oneWay"`
	Never      int    `json:"never"`
	Impossible int    `json:"impossible"`
}

// Estimate is a number of executions that is not known, with its bar.
type Estimate struct {
	Total float64 `json:"total"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Finding is a violation with its schedule.
type Finding struct {
	Kind     string `json:"kind"`
	Text     string `json:"text"`
	Where    string `json:"where,omitempty"`
	Key      string `json:"key"` // what makes two findings the same
	Expected bool   `json:"expected"`
	Found    int    `json:"found"`              // the execution that found it, from 1
	Forced   int    `json:"forced"`             // steps of the minimal schedule
	Switches int    `json:"switches"`           // of actor, in it
	Schedule string `json:"schedule,omitempty"` // file
	Culprit  string `json:"culprit,omitempty"`
	Diagram  string `json:"diagram,omitempty"`
	// the execution as a space-time diagram
	Picture *report.Picture `json:"picture,omitempty"`
	// the execution in which what decides comes the other way round, and nothing goes wrong
	Flipped *report.Picture `json:"flipped,omitempty"`
	States  string          `json:"states,omitempty"` // of the actors before the failing step
	Note    string          `json:"note,omitempty"`   // what people should know about the schedule
	Replay  string          `json:"replay,omitempty"` // the command line
}
