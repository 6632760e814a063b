// Package metering bills what a town's electricity meters read in a day. Meters send readings to the concentrator of
// their district, concentrators book them in a ledger, and when every meter is done, the office closes the day. It is a
// large example: with 95 meters there are 100 actors, and 10,000 messages a day.
package metering
