// Package vet holds analyzers for actor programs: what a handler does that no exploration of message orders can see,
// since it happens outside of messages. They work on protoactor-go and on the native actors of this project.
//
// Run them with `rehearse vet PKG...`, or as `go vet -vettool=$(which rehearse) PKG...`. docs/vet.md has what each of
// them finds, why, how to fix it, how to suppress it, and what it misses.
//
//	vet.go       the list, and what all have in common
//	run.go       running them in one process, as rehearse vet does
//	allow.go     //rehearse:allow, and complaints about it
//	outside.go   goroutine, lock, clock, random, io, channel: what handlers reach
//	capture.go   capture: an actor's state in a function that runs elsewhere
//	message.go   message: memory that is sent and kept, or received and changed
//	shared.go    shared: memory that two actors have
//	blocking.go  blocking: waiting for an answer that may never come
//	cycle.go     cycle: actors that wait for each other's answers
//	silent.go    silent: messages that a Receive ignores (off by default)
//
// Below are internal/frame, which knows the frameworks, internal/outside, who calls what, internal/share, who shares
// what, and internal/oneprocess, which runs analyzers.
package vet

import (
	"fmt"
	"go/token"
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// Analyzers lists all analyzers. Silent is among them and reports nothing unless its flag -silent.report is set.
func Analyzers() []*analysis.Analyzer { return append(checks(), Allow) }

// checks are the analyzers whose findings can be allowed.
func checks() []*analysis.Analyzer {
	return []*analysis.Analyzer{Goroutine, Lock, Clock, Random, IO, Channel, Capture, Message, Shared, Blocking, Cycle,
		Silent}
}

// Used has the positions of the allowances that suppressed something: the result of every check, which Allow reads.
type Used map[token.Pos]bool

// report tells of a finding unless it is allowed. The text says what, then after a semicolon what to do.
type report func(at token.Pos, format string, args ...any)

// check makes an analyzer of a function that finds.
func check(name, doc string, find func(*analysis.Pass, report) error,
	requires ...*analysis.Analyzer) *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name: name, Doc: doc,
		URL:        "https://github.com/rehearse-go/rehearse/blob/main/docs/vet.md#" + name,
		Requires:   append([]*analysis.Analyzer{allowances}, requires...),
		ResultType: reflect.TypeFor[Used](),
	}
	a.Run = func(pass *analysis.Pass) (any, error) {
		used, told := Used{}, map[string]bool{}
		allowed := pass.ResultOf[allowances].([]allowance)
		err := find(pass, func(at token.Pos, format string, args ...any) {
			for _, al := range allowed {
				if al.name == name && al.covers(pass.Fset, at) {
					used[al.at] = true
					return
				}
			}
			text := name + ": " + fmt.Sprintf(format, args...)
			if key := fmt.Sprint(at, text); !told[key] {
				told[key] = true
				pass.Report(analysis.Diagnostic{Pos: at, Category: name, Message: text})
			}
		})
		return used, err
	}
	return a
}
