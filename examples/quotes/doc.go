// Package quotes is a broker that asks several suppliers for a price at the same time and buys from the cheapest.
package quotes
