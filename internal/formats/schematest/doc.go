// Package schematest validates what package formats writes. It is a module of its own, so that nobody who uses Rehearse
// needs what validates: github.com/owenrumney/go-sarif, which has the schema of OASIS in it.
package schematest
