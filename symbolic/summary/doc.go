// Package summary tells what the handlers of a program do, for each type of actor and type of message. It has the paths
// through the handler, with their conditions, what they change, send and return.
//
//	handlers.go  which handlers there are
//	summary.go   their paths
//	pieces.go    handlers that give their actors up in the middle, piece by piece
//	print.go     for people
//
// A summary is complete if no bound cut it, and exact if nothing in it is guessed. What is not says where and why.
package summary
