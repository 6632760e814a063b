// Package threadring is a ring of nodes that pass a token on until it has made its hops, after the benchmark in which
// [TAP18] found a bug. A coordinator tells every node its successor and then hands the token to the first.
package threadring
