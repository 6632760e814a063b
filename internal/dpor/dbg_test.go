package dpor
import ("testing";"os";"strconv";"fmt";"encoding/json";"github.com/rehearse-go/rehearse/explore";"github.com/rehearse-go/rehearse/internal/toy";"github.com/rehearse-go/rehearse/trace")
func TestDbg(t *testing.T) {
	var f toy.Features
	json.Unmarshal([]byte(os.Getenv("FEAT")), &f)
	seed, _ := strconv.Atoi(os.Getenv("SEED"))
	m, _ := trace.ParseModel(os.Getenv("MODEL"))
	tm, _ := trace.ParseTimerMode(os.Getenv("TM"))
	p := toy.Random(uint64(seed), f)
	var s explore.Strategy = NewOptimal(nil)
	if os.Getenv("S") == "source" { s = NewSource(nil) }
	if os.Getenv("S") == "reverse" { s = mkReverse() }
	debug = true; sys := toy.NewSystem(p)
	fmt.Println(p)
	keys := map[string]int{}
	out, err := explore.Run(sys, s, explore.Options{Conditions: explore.Conditions{Model: m, Timers: tm}, After: func(c *explore.Counters, tr *trace.Trace) {
		k := toy.ClassKey(m, tr)
		if _, ok := keys[k]; !ok { keys[k] = len(keys) }
		fmt.Println("--- execution", c.Executions, c.Blocked, "class", keys[k])
		for e := range tr.Events { ev := &tr.Events[e]; fmt.Print("  ", e, " ", tr.StepName(ev.Step), " depth ", ev.Step.Depth, " ", ev.Step.ID.String()[:6]); if ev.Released >= 0 { fmt.Print(" releases ", tr.Messages[ev.Released].Type.Name, " to ", tr.ActorName(tr.Messages[ev.Released].Receiver)) }; if len(ev.Stopped)+len(ev.Cancelled)+len(ev.Due) > 0 { fmt.Print(" stopped ", ev.Stopped, " cancelled ", ev.Cancelled, " due ", ev.Due) }; fmt.Println() }
		if d, ok := s.(explore.Diverger); ok && d.Divergence() != nil { fmt.Println("DIVERGED", d.Divergence().Text) }
	}})
	fmt.Println(out, err)
	e := toy.Enumerate(p, m, tm, 3000)
	fmt.Println("twin", e.Classes, e.Executions)
}
