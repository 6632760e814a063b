package cases_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// The cases of func over(n, most uint8) uint8, which panics if n > most.
func ExampleProgram_Suite() {
	loaded, err := extended() // cases.Load of the program's packages
	if err != nil {
		fmt.Println(err)
		return
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer solver.Close()
	ctx := context.Background()
	p := cases.New(ctx, loaded, store, solver)
	targets, err := p.Select("over")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := p.Suite(ctx, targets[0], cases.Config{Assume: []string{"most > 3"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Report(s).Print(os.Stdout)
	// Output:
	// over (zf.go:11), a function: 1 finding, 1 case, 0 failures from an assumed state; complete; blocks 3 of 3, branches 2 of 2
	//   assuming most > 3
	//   finding most<n: panicked: panic (zf.go:13), assuming most > 3
	//     if         most < n
	//     example    most = 4, n = 5
	//   case most>=n: returned, assuming most > 3
	//     if         most >= n
	//     result     result = most - n
	//     example    most = 4, n = 0
	//     then       result = 4
	//   covered: blocks of zf.go:12,13,15
	//   covered: zf.go:12: n > most is true
	//   covered: zf.go:12: n > most is false
}
