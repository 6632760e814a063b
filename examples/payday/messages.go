package payday

// Bill is what the company owes somebody.
type Bill struct {
	To    string
	Rank  int // wages are 1, and come first
	Cents int
}

// Payday asks the desk to pay.
type Payday struct{}
