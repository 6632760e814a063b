package overdraft

// Pay asks a client to pay an amount from the account.
type Pay struct{ Amount int }

// Approve asks an officer to look at a payment. The client that sent it gets Approved.
type Approve struct{ Amount int }

// Approved says that the officers have no objection.
type Approved struct{ Amount int }

// GetBalance asks the account for its balance.
type GetBalance struct{ Amount int }

// Balance is the answer. Amount is the one that the client means to withdraw.
type Balance struct {
	Current int
	Amount  int
}

// Withdraw takes an amount from the account.
type Withdraw struct{ Amount int }

// Paid says that the account was debited.
type Paid struct{ Amount int }

// Declined says that the account was not debited.
type Declined struct{ Amount int }
