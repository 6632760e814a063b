// Package procreg is a process registry, after the program of that name of [Bita13]. Workers register under names,
// which others may take over, and clients look names up and are told when that happens.
package procreg
