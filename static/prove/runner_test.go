package prove_test

// runner calls the functions with random inputs and writes the lines where they panic, with the text.
const runner = `package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

var random *rand.Rand

func num() int {
	if random.IntN(8) == 0 {
		return []int{math.MaxInt, math.MinInt, math.MaxInt - 1, 1 << 40}[random.IntN(4)]
	}
	return random.IntN(9) - 2
}

func ints() []int {
	n := random.IntN(6)
	if n == 5 {
		return nil
	}
	return make([]int, n, n+random.IntN(3))
}

func object(deep int) *obj {
	if random.IntN(5) == 0 || deep == 0 {
		return nil
	}
	o := &obj{s: ints(), n: num(), k: num(), next: object(deep - 1)}
	if random.IntN(2) == 0 {
		o.m = map[int]int{1: 1}
	}
	if random.IntN(2) == 0 {
		o.f = func() int { return o.shrink() }
	}
	if random.IntN(4) == 0 {
		o.next = o
	}
	return o
}

type list []func(s, t []int, o, p *obj, i, n int) int

func call(f func(s, t []int, o, p *obj, i, n int) int) {
	defer note()
	fuel = 40
	o := object(3)
	p := object(3)
	if random.IntN(4) == 0 {
		p = o
	}
	s, t := ints(), ints()
	if random.IntN(4) == 0 {
		t = s
	}
	if o != nil && random.IntN(4) == 0 {
		s = o.s
	}
	f(s, t, o, p, num(), num())
}

func main() {
	random = rand.New(rand.NewPCG(SEED, 1))
	for range RUNS {
		for _, f := range functions {
			call(f)
		}
	}
	for s := range seen {
		fmt.Println(s)
	}
}
`

// caller calls functions without parameters, and writes the same.
const caller = `package main

import "fmt"

type list []func() int

func call(f func() int) {
	defer note()
	f()
}

func main() {
	state = SEED
	for range RUNS {
		for _, f := range functions {
			call(f)
		}
	}
	for s := range seen {
		fmt.Println(s)
	}
}
`

// noting is a file beside both: it notes a panic, with the line of the functions where it is.
const noting = `package main

import (
	"fmt"
	"runtime"
	"strings"
)

var seen = map[string]bool{}

func note() {
	v := recover()
	if v == nil {
		return
	}
	pcs := make([]uintptr, 30)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "main.") && strings.HasSuffix(frame.File, "functions.go") {
			seen[fmt.Sprintf("%d %v", frame.Line, v)] = true
			return
		}
		if !more {
			panic(v)
		}
	}
}
`
