// Package subjects holds the programs of the papers as native actors, one file a program. Each function gives a system
// whose counts under the bag model are known: they are the goldens of every search.
//
// Creation and wiring happen in set-up, which is not explored, unless the program's own file says otherwise. "Dies" in
// the papers means that the actor stops at the end of that handler; what comes later for it stays undelivered or is a
// dead letter.
package subjects
