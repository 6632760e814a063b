// Package timeout is the payment step of a shop. Every order is an actor of its own; it asks a payment provider for the
// money and is cancelled if the provider does not answer in time.
package timeout
