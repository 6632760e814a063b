package dpor
import ("testing";"os";"encoding/json";"github.com/rehearse-go/rehearse/explore";"github.com/rehearse-go/rehearse/internal/toy";"github.com/rehearse-go/rehearse/trace")
func TestFeat(t *testing.T) {
	var f toy.Features
	json.Unmarshal([]byte(os.Getenv("FEAT")), &f)
	n := 300
	tms := []trace.TimerMode{trace.Quiescent}
	if f.Timers { tms = append(tms, trace.Async) }
	for _, model := range toy.Models {
	 for _, tm := range tms {
		for _, s := range []string{"source","optimal"} {
			d := toy.Cover
			mk := func() explore.Strategy { return NewSource(nil) }
			if s == "optimal" { d = toy.Exact; mk = func() explore.Strategy { return NewOptimal(nil) } }
			c, err := toy.Compare(mk, toy.CompareOptions{Demand: d, Models: []trace.Model{model}, Timers: []trace.TimerMode{tm}, Features: f, Programs: n, Limit: 500})
			st := "ok"; if err != nil { st = "FAIL" }
			t.Log(st, model, tm, s, c)
			if err != nil && os.Getenv("V") != "" { t.Log(err) }
		}
	}}
}
