// Package overdraft is a small bank: one account, paid from by several clients.
//
// A payment above the limit needs two pairs of eyes, so it passes two officers before the client acts on it. Before
// a client withdraws, it asks the account for its balance and declines what the account cannot bear.
package overdraft
