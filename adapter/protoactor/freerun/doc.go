// Package freerun tests the delivery models against protoactor-go itself. A random program is a table. Ordinary actors
// interpret it on the plain framework, with its own mailboxes and goroutines, and under control; native actors
// interpret it too.
//
//	program_test.go  the table, and how it is drawn
//	player_test.go   what one actor does, whatever it runs on
//	plain_test.go    actors of protoactor-go; free runs with yields (yield.go)
//	gates_test.go    runs of the plain framework whose goroutines wait at gates, which are opened in every order
//	native_test.go   native actors, which come to the same orders
//	freerun_test.go  plain runs against explorations
//	drawn_test.go    plain runs whose goroutines are drawn, in a test that rehearse test has built
//	pass_test.go     a letter that passes a stop, and gates that lead to each order
//	shrink_test.go   a program that is wrong, made small
//
// What is compared is what each actor received, in its order. Time is left out: no program sets a timer.
package freerun
