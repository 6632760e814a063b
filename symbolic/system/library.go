package system

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file calls functions of the standard library whose arguments are known: names of actors are made by them, and
// what a driver branches on.

// Waiting are functions by which a main waits for somebody outside of the program.
var Waiting = map[string]bool{
	"github.com/asynkron/goconsole.ReadLine": true, "(*github.com/asynkron/goconsole.Console).Run": true,
	"fmt.Scan": true, "fmt.Scanln": true, "fmt.Scanf": true, "(*bufio.Reader).ReadString": true,
	"(*bufio.Scanner).Scan":  true,
	"(*sync.WaitGroup).Wait": true, "net/http.ListenAndServe": true, "net/http.ListenAndServeTLS": true,
	"(*net/http.Server).ListenAndServe": true, "(*net/http.Server).ListenAndServeTLS": true,
}

// library calls a function, if all that it depends on is known.
func (w *world) library(fn *types.Func, args []exec.Value) (exec.Value, bool) {
	name := w.m.FullName(fn)
	if Waiting[name] && w.running != nil && w.running.index == 0 {
		w.waited = true
	}
	switch name {
	case "time.Sleep": // in a driver: the search decides what is handled meanwhile
		return nil, w.driver.Plain && w.running != nil && w.running.index == 0
	case "fmt.Sprintf", "fmt.Sprint":
		return w.printed(fn.Name(), args)
	case "strconv.Itoa":
		if v, ok := constant(w.m.Held(args[0]), types.Typ[types.Int]); ok {
			return w.store.Text(fmt.Sprint(v)), true
		}
	case "os.Getenv":
		w.mark("the environment is taken to be empty")
		return w.store.Text(""), true
	case "os.LookupEnv":
		w.mark("the environment is taken to be empty")
		return exec.Tuple{w.store.Text(""), w.store.Bool(false)}, true
	case "testing.Short", "testing.Verbose":
		return w.store.Bool(false), true
	}
	return nil, false
}

// printed formats constants.
func (w *world) printed(name string, args []exec.Value) (exec.Value, bool) {
	format := ""
	if name == "Sprintf" {
		text, ok := w.m.Text(args[0])
		if !ok {
			return nil, false
		}
		format = text
	}
	var list []any
	for _, v := range w.m.Elements(args[len(args)-1]) {
		f, ok := w.m.Held(v).(exec.Face)
		if !ok || f.Type == nil {
			return nil, false
		}
		c, ok := constant(w.m.Held(f.Val), f.Type)
		if !ok {
			return nil, false
		}
		list = append(list, c)
	}
	if name == "Sprint" {
		return w.store.Text(fmt.Sprint(list...)), true
	}
	return w.store.Text(fmt.Sprintf(format, list...)), true
}

// constant gives a value of Go for a term that is one. Types with methods may print themselves.
func constant(v exec.Value, t types.Type) (any, bool) {
	c, ok := v.(*term.Term)
	if n, named := types.Unalias(t).(*types.Named); !ok || !c.Const() || named && n.NumMethods() > 0 {
		return nil, false
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return nil, false
	}
	switch val := c.Value(); {
	case b.Info()&types.IsString != 0:
		return val.Text, true
	case b.Info()&types.IsBoolean != 0:
		return val.Bits != 0, true
	case b.Info()&types.IsUnsigned != 0:
		return val.Bits, true
	case b.Info()&types.IsInteger != 0:
		shift := 64 - c.Sort.Bits
		return int64(val.Bits<<shift) >> shift, true
	}
	return nil, false
}
