// Package bank is the design of a bank after figure 1 of [TAP18], modelled with native actors: no framework and no
// network, only who tells whom what.
//
// A client keeps a copy of the balance. It forwards deposits, and those withdrawals that the copy can bear, to the
// server, whose balance is the one that counts and which relies on the client's check.
package bank
