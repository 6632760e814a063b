// Package system executes whole actor programs symbolically: the driver that makes the actors, then handler after handler on the same memory.
//
//	system.go  the vocabulary: drivers, start configurations, plans, ways
package system
