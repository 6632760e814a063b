package tasks_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// The cases of the paper's doSum, with one run of each task of the object that it creates.
func ExampleProgram_Cases() {
	p, err := loaded() // summary.Load of the program's package
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
	r, err := tasks.New(ctx, p, store, solver).Cases(ctx, "apet.Starter", "apet.DoSum", tasks.Config{Loops: 1, Switches: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Print(os.Stdout)
	// Output:
	// apet.Starter on apet.DoSum: 2 cases, bounded
	//   case 1: returned
	//     if         msg.M > 0, msg.N == 0
	//     order      apet.Starter.apet.DoSum, apet.Summer1.apet.Sum, apet.Starter.apet.DoSum (await)
	//     result     result.(int) = 0
	//     before     b.Value = b.Value
	//     after      b.Value = b.Value, apet.Summer1.Value = b.Value
	//     example    b.Value = 0, msg.M = 1, msg.N = 0, result.(int) = 0, apet.Summer1.Value = 0, b.Value = 0
	//   case 2: returned
	//     if         msg.M <= 0
	//     order      apet.Starter.apet.DoSum, apet.Summer1.apet.Q, apet.Starter.apet.DoSum (await)
	//     result     result.(int) = b.Value
	//     before     b.Value = b.Value
	//     after      b.Value = b.Value, apet.Summer1.Value = b.Value
	//     example    b.Value = 0, msg.M = 0, result.(int) = 0, apet.Summer1.Value = 0, b.Value = 0
	//   not followed: more than 1 switches of apet.Summer1 (1)
}
