package toy

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
)

// BenchmarkTwin and BenchmarkNaive are the two sides of a comparison; both report the time of one execution.
func BenchmarkTwin(b *testing.B) {
	n := 0
	for i := 0; b.Loop(); i++ {
		for seed := range uint64(100) {
			w := Enumerate(Random(seed, Full),
				explore.Conditions{Model: Models[i%len(Models)], Timers: TimerModes[i/len(Models)%2]}, 300)
			n += w.Executions
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/execution")
}

func BenchmarkNaive(b *testing.B) {
	n := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for seed := range uint64(100) {
			o := explore.Options{Conditions: explore.Conditions{Model: Models[i%len(Models)],
				Timers: TimerModes[i/len(Models)%2]}}
			o.Budget.Executions = 300
			out, err := explore.Run(NewSystem(Random(seed, Full)), search.NewNaive(), o)
			if err != nil {
				b.Fatal(err)
			}
			n += out.Executions
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/execution")
}
