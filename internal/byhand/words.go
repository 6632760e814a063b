package byhand

import "github.com/rehearse-go/rehearse/explore"

// Variable is set in the environment of a process that shows positions of its test, for package child.
const Variable = "REHEARSE_EXPLORER"

// Hello is what such a process is told first.
type Hello struct {
	Test    string `json:"test"`    // with its subtests
	Ordinal int    `json:"ordinal"` // of the Check within the test, from 0
	Explore bool   `json:"explore"` // explore, and tell how it goes; else answer requests
}

// Request asks for a position.
type Request struct {
	Under    string   `json:"under,omitempty"`
	Position string   `json:"position,omitempty"`
	Schedule string   `json:"schedule,omitempty"` // of a file, to follow to its end in the place of a position
	Path     []string `json:"path,omitempty"`     // identities of steps, to follow in the place of a position
	Onward   bool     `json:"onward,omitempty"`   // go on by the default order until the execution ends
	Fork     bool     `json:"fork,omitempty"`     // go on by it until there is something to choose
	Picture  bool     `json:"picture,omitempty"`  // also draw it
	Save     bool     `json:"save,omitempty"`     // save it as a schedule file of the test
}

// Answer is what comes of a request.
type Answer struct {
	// before the first request, and where something was saved: what the process is about
	Ready *About `json:"ready,omitempty"`
	View  *View  `json:"view,omitempty"`
	// the picture, as SVG
	Picture string `json:"picture,omitempty"`
	// the schedule file, relative to the package's folder
	File  string `json:"file,omitempty"`
	Error string `json:"error,omitempty"` // the request cannot be answered
	Dead  bool   `json:"dead,omitempty"`  // nor can any other: the process ends
}

// About says what a test is explored under.
type About struct {
	Package    string   `json:"package"`
	Test       string   `json:"test"`
	Ordinal    int      `json:"ordinal"`
	Model      string   `json:"model"`
	Timers     string   `json:"timers"`
	Faults     string   `json:"faults"`
	Strategy   string   `json:"strategy"`
	Budget     string   `json:"budget"`
	Seed       uint64   `json:"seed"`
	Conditions string   `json:"conditions"` // all of them, as Under writes them: a position means something under these alone
	Numbered   bool     `json:"numbered"`   // what Go chooses by itself has numbers
	Blocked    int64    `json:"blocked"`    // nanoseconds after which a handler that makes no progress is given up
	Invariants []string `json:"invariants"`
	Saved      []Saved  `json:"saved"` // schedules of the test
}

// Saved is a schedule file.
type Saved struct {
	File      string `json:"file"`      // relative to the package's folder
	Violation string `json:"violation"` // "" if it has none
	Steps     int    `json:"steps"`
}

// News is what an exploration tells now and then.
type News struct {
	Counters explore.Counters `json:"counters"`
	Estimate explore.Estimate `json:"estimate"`
	Seconds  float64          `json:"seconds"`
	Phase    string           `json:"phase"` // whose turn it is in a strategy that takes turns
	Nodes    []Node           `json:"nodes,omitempty"`
	Leaves   []int32          `json:"leaves,omitempty"` // where executions ended, by the numbers of nodes
	Left     int              `json:"left,omitempty"`   // executions that are not in the tree, so far: it is full
	Found    []Found          `json:"found,omitempty"`
	Done     *Done            `json:"done,omitempty"`
	Error    string           `json:"error,omitempty"`
}

// Node is a node of the tree of choices. Its number is its place among all that were told, from 1 on; 0 is the root.
type Node struct {
	Parent int32  `json:"parent"`
	ID     string `json:"id"` // of its step
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Under  string `json:"under,omitempty"`
}

// Found is a violation as it was met, or as it was investigated.
type Found struct {
	Key       string `json:"key"`
	Kind      string `json:"kind"`
	Text      string `json:"text"`
	Execution int    `json:"execution"`
	Node      int32  `json:"node"`              // of the tree; 0: its execution is not in it
	Schedule  string `json:"schedule"`          // as in a file; "" if there is none
	Culprit   string `json:"culprit,omitempty"` // which order decides
	Minimal   bool   `json:"minimal,omitempty"` // the schedule was made small
	Note      string `json:"note,omitempty"`    // why not, or what else its investigation has to say
}

// Done is how an exploration ended.
type Done struct {
	Reason   string `json:"reason"`
	Complete bool   `json:"complete"`
	Text     string `json:"text"` // in words
}
