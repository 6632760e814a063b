package gentest

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestRuntimeTexts: Go writes of each panic what generated tests expect.
func TestRuntimeTexts(t *testing.T) {
	var (
		none   *int
		list   []int
		table  map[any]int
		shared atomic.Value
		do     func()
		pipe   chan int
		any1   any
		zero   = len(list)
		below  = zero - 1
	)
	for kind, do := range map[string]func(){
		"nil dereference":                            func() { *none = 1 },
		"index out of range":                         func() { list[zero] = 1 },
		"slice bounds out of range":                  func() { _ = list[zero+1:] },
		"assignment to entry in nil map":             func() { table[1] = 1 },
		"integer divide by zero":                     func() { _ = 1 / zero },
		"interface conversion":                       func() { _ = any1.(int) },
		"negative shift amount":                      func() { _ = 1 << below },
		"makeslice: length or capacity out of range": func() { _ = make([]int, below) },
		"slice too short for the array":              func() { _ = [2]int(list) },
		"call of a nil function":                     func() { do() },
		"close of a nil or closed channel":           func() { close(pipe) },
		"sync/atomic: store of nil value into Value": func() { shared.Store(nil) },
		"panic called with nil argument":             func() { panic(any1) },
		"strings: negative Repeat count":             func() { _ = strings.Repeat("a", below) },
		"non-positive interval for a ticker":         func() { time.NewTicker(time.Duration(zero)) },
		"comparing or hashing an uncomparable type":  func() { delete(table, any(list)) },
	} {
		if told := caughtText(do); !strings.Contains(told, runtimeTexts[kind]) || runtimeTexts[kind] == "" {
			t.Errorf("%s: Go writes %q, tests expect %q", kind, told, runtimeTexts[kind])
		}
	}
	if told := caughtText(func() { _ = any(list) == any(list) }); !strings.Contains(told, runtimeTexts["comparing or hashing an uncomparable type"]) {
		t.Errorf("a comparison: Go writes %q", told)
	}
	if len(runtimeTexts) != 16 {
		t.Errorf("%d texts, of which 16 are tested", len(runtimeTexts))
	}
}

func caughtText(do func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	do()
	return "no panic"
}
