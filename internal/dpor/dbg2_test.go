package dpor
import ("testing";"fmt";"strings";"github.com/rehearse-go/rehearse/explore";"github.com/rehearse-go/rehearse/internal/toy";"github.com/rehearse-go/rehearse/trace")
func TestDbg2(t *testing.T) {
	h := func(ops ...toy.Op) toy.Handler { return toy.Handler{Mul:1,Add:1,Refuse:-1,Fail:-1,Ops:ops} }
	s := func(to, m int) toy.Op { return toy.Op{Kind: toy.Send, To: to, Message: m, When: -1} }
	p := &toy.Program{Actors: []int{0,1,1}, Kinds: []toy.Behaviour{{h(s(1,1)), h()}, {h(toy.Op{Kind: toy.Kill, To: 2, When: -1}), h(toy.Op{Kind: toy.Quit, When: -1})}}, Driver: []toy.Op{s(1,0),s(2,0),s(0,0)}}
	fmt.Println(p)
	debug = true
	run := func(s explore.Strategy, print bool) map[string]string {
	keys := map[string]string{}
	m := trace.Bag
	explore.Run(toy.NewSystem(p), s, explore.Options{Conditions: explore.Conditions{Model: m}, After: func(c *explore.Counters, tr *trace.Trace) {
		var s []string
		for e := range tr.Events[1:] { ev := &tr.Events[e+1]; n := tr.StepName(ev.Step); n = strings.NewReplacer("from Driver ","","from ","").Replace(n); s = append(s, n) }
		if print { fmt.Println(c.Executions, strings.Join(s, ", ")) }
		if c.Blocked == 0 { keys[toy.ClassKey(m, tr)] = strings.Join(s, ", ") }
	}})
	return keys }
	debug=false
	a := run(NewSource(nil), true)
	debug=true
	b := run(NewOptimal(nil), true)
	for k, v := range a { if _, ok := b[k]; !ok { fmt.Println("MISSING", v) } }
}
