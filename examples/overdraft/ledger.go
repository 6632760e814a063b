package overdraft

// Entry is one booking.
type Entry struct {
	Text   string
	Amount int // negative for a debit
}

// Ledger lists the bookings of an account, oldest first. The account alone writes it; read it when the bank is at rest.
type Ledger struct{ Entries []Entry }

// Book adds an entry.
func (l *Ledger) Book(text string, amount int) {
	l.Entries = append(l.Entries, Entry{text, amount})
}

// Lowest is the lowest balance that the account ever had.
func (l *Ledger) Lowest() int {
	lowest, balance := 0, 0
	for _, e := range l.Entries {
		balance += e.Amount
		lowest = min(lowest, balance)
	}
	return lowest
}
