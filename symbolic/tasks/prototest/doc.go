// Package prototest executes the cases that package tasks finds on protoactor-go. It is a module of its own: what reads
// programs needs no framework, and what runs them no solver.
//
// Its tests hold cases to the real program under Rehearse. The program is given inputs that meet a case, and led
// through its order. Then it replies what the case says, leaves the same state and sends the same. And of all
// executions on some input each has one case.
package prototest
