// Package uuid stands for the package of identifiers.
package uuid

type UUID [16]byte

func New() UUID               { return UUID{} }
func (u UUID) String() string { return "" }
