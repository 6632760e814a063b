package dpor
import ("testing";"os";"strconv";"fmt";"encoding/json";"github.com/rehearse-go/rehearse/explore";"github.com/rehearse-go/rehearse/internal/toy";"github.com/rehearse-go/rehearse/trace")
func TestCmp(t *testing.T) {
	var f toy.Features
	json.Unmarshal([]byte(os.Getenv("FEAT")), &f)
	seed, _ := strconv.Atoi(os.Getenv("SEED"))
	m, _ := trace.ParseModel(os.Getenv("MODEL"))
	tm, _ := trace.ParseTimerMode(os.Getenv("TM"))
	p := toy.Random(uint64(seed), f)
	show := func(tr *trace.Trace) string { s := ""
		for e := range tr.Events { ev := &tr.Events[e]; s += fmt.Sprint("  ", e, " ", tr.StepName(ev.Step), " ", ev.Step.ID.String()[:6]); if ev.Released >= 0 { s += fmt.Sprint(" releases ", tr.Messages[ev.Released].Type.Name, " to ", tr.ActorName(tr.Messages[ev.Released].Receiver)) };for _, x := range ev.Sent { s += fmt.Sprint(" sent ", tr.Messages[x].ID.String()[:6]) }; if len(ev.Stopped)+len(ev.Cancelled)+len(ev.Due) > 0 { s += fmt.Sprint(" stopped ", ev.Stopped, " cancelled ", ev.Cancelled, " due ", ev.Due) }; s += "\n" }
		return s }
	run := func(s explore.Strategy) map[string]string {
		keys := map[string]string{}
		explore.Run(toy.NewSystem(p), s, explore.Options{Conditions: explore.Conditions{Model: m, Timers: tm}, After: func(c *explore.Counters, tr *trace.Trace) {
		k := toy.ClassKey(m, tr)
		if old, ok := keys[k]; !ok { keys[k] = show(tr) } else { fmt.Println("TWICE", old, show(tr)) } }})
		return keys
	}
	a := run(NewSource(nil))
	debug = os.Getenv("D") != ""
	var b map[string]string
	if os.Getenv("S") == "reverse" { b = run(mkReverse()) } else { b = run(NewOptimal(nil)) }
	for k, v := range a { if _, ok := b[k]; !ok { fmt.Println("MISSING\n", v) } }
	for k, v := range b { if _, ok := a[k]; !ok { fmt.Println("EXTRA\n", v) } }
}
