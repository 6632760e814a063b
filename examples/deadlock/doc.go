// Package deadlock is the back office of a shop. Orders reserve goods from the inventory, and the inventory, when goods
// arrive at the dock, sets some aside for the orders that are waiting for them.
package deadlock
