// Package concrete is for tests. It holds the paths of functions and handlers to runs of the program on concrete
// inputs. It looks at which conditions an input satisfies, and at what a path says that the run has come to.
//
// An input is a tree of Nodes. A twin makes it and has the program build it, or takes it from a program that runs. A
// Player does the latter for handlers: every step of an execution has to be told by one path of the handler's summary.
// SameEvents compares whole executions.
package concrete
