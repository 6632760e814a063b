// Package gotest knows the process that go test runs.
//
//	caller.go    which test function calls
//	pattern.go   which tests a pattern of -run names
//	deadline.go  when -timeout ends the process
//	output.go    what the program prints: muted while it is explored, captured while a finding is replayed
package gotest

import (
	"runtime"
	"strings"
	"testing"
)

// Outermost is the outermost function of the program, which is below the testing package in a test.
func Outermost() string {
	pcs := make([]uintptr, 128)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	function := ""
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "testing.") || strings.HasPrefix(f.Function, "runtime.") {
			break
		}
		function = f.Function
	}
	return function
}

// PackageOf cuts a function's name after the package: "example.com/a%2eb/bank_test.TestX.func1" is in
// "example.com/a.b/bank".
func PackageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[slash:], '.')
	if dot < 0 {
		return function
	}
	return strings.ReplaceAll(strings.TrimSuffix(function[:slash+dot], "_test"), "%2e", ".")
}

// TestFunction gives the test function that the stack begins with, "" if there is none. The argument is what Outermost
// gives.
func TestFunction(function string) string {
	if !testing.Testing() {
		return ""
	}
	_, name, _ := strings.Cut(function[strings.LastIndexByte(function, '/')+1:], ".")
	name, _, _ = strings.Cut(name, ".")
	if !strings.HasPrefix(name, "Test") {
		return ""
	}
	return name
}
