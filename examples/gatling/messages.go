package gatling

// Execute asks an action to run.
type Execute struct{}

// Write asks the writer to log a result.
type Write struct{ Result string }

// Written confirms a Write.
type Written struct{}

// ActionDone tells the terminator that an action is over.
type ActionDone struct{}

// Flush asks the writer to write everything out and to take no more results.
type Flush struct{}

// Flushed confirms a Flush.
type Flushed struct{}
