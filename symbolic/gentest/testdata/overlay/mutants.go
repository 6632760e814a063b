// Package overlay is laid over a package whose mutants are tested, under its name. All mutants are in one source, and a variable of the environment
// picks one: so they are compiled once.
package overlay

import (
	"cmp"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// mutantPicked is the number of the mutant; a constant becomes smaller for a negative one.
var mutantPicked, _ = strconv.Atoi(os.Getenv("GENTEST_MUTANT"))

func mutant(n int) bool {
	mutantReach(n)
	return mutantPicked == n
}

// mutantSeen are the mutants that were executed, if a file is named for their numbers.
var (
	mutantSeen  = map[int]bool{}
	mutantMutex sync.Mutex
	mutantFile  = os.Getenv("GENTEST_REACHED")
)

func mutantReach(n int) {
	if mutantFile == "" {
		return
	}
	mutantMutex.Lock()
	defer mutantMutex.Unlock()
	if mutantSeen[n] {
		return
	}
	mutantSeen[n] = true
	f, err := os.OpenFile(mutantFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(strconv.Itoa(n) + "\n")
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// A mutant may fill the memory, in a loop without an end.
func init() {
	if mutantPicked == 0 {
		return
	}
	go func() {
		for m := (runtime.MemStats{}); m.HeapAlloc < 2<<30; time.Sleep(20 * time.Millisecond) {
			runtime.ReadMemStats(&m)
		}
		os.Exit(3)
	}()
}

type mutantNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func mutantConst[T mutantNumber](n int, v T) T {
	mutantReach(n)
	switch mutantPicked {
	case n:
		return v + 1
	case -n:
		return v - 1
	}
	return v
}

func mutantText[T ~string](n int, v T) T {
	mutantReach(n)
	switch {
	case mutantPicked == n, mutantPicked == -n && v == "":
		return v + "x"
	case mutantPicked == -n:
		return v[:len(v)-1]
	}
	return v
}

func mutantBool[T ~bool](n int, v T) T { return v != T(mutant(n) || mutant(-n)) }

// mutantSum turns sums and differences round, products and quotients.
func mutantSum[T mutantNumber](n int, a, b T, op string) T {
	if mutant(n) {
		op = map[string]string{"+": "-", "-": "+", "*": "+", "/": "*"}[op]
	}
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	return a / b
}

// mutantLess moves the edge of a comparison.
func mutantLess[T cmp.Ordered](n int, a, b T, op string) bool {
	if mutant(n) && a == b {
		return op == "<" || op == ">"
	}
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

// mutantSign turns what is added into what is taken away.
func mutantSign[T mutantNumber](n int, v T) T {
	if mutant(n) {
		return -v
	}
	return v
}

// mutantBoth makes an and an or, and an or an and.
func mutantBoth(n int, a bool, b func() bool, and bool) bool {
	if mutant(n) != and {
		return a && b()
	}
	return a || b()
}
