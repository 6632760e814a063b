package retry

// Load asks a terminal to load a card with cash.
type Load struct {
	Card  string
	Cents int
}

// TopUp asks the ledger to credit a card.
type TopUp struct {
	Load
	Receipt int // numbers what a terminal has taken
}

// Confirmed says that a card was credited.
type Confirmed struct{ Receipt int }
