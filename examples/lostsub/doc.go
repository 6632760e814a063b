// Package lostsub is a price service: trades come in from the market, a feed keeps the subscriptions, and boards show
// the price of what they are opened for.
package lostsub
