// Package hotline is a help line with office hours. Calls wait in a queue; a clerk looks into it whenever the bell
// rings, and goes home when the day is over.
package hotline
