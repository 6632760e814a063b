package cover

import (
	"runtime"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// BenchmarkSchedule: what it takes to make an execution ready, and then to make a schedule. The set-up includes all
// rows of bits.
func BenchmarkSchedule(b *testing.B) {
	for _, bm := range []struct {
		name             string
		actors, receives int
		hub              bool
		model            trace.Model
	}{
		{"100actors/1000", 100, 1_000, false, trace.FIFO},
		{"100actors/10000", 100, 10_000, false, trace.FIFO},
		{"1000actors/10000", 1000, 10_000, false, trace.FIFO},
		{"hub/10000", 100, 10_000, true, trace.FIFO},
		{"hub/10000/bag", 100, 10_000, true, trace.Bag},
	} {
		tr := large(bm.actors, bm.receives, bm.hub)
		ready := func() *generator {
			o := NewAchieved()
			o.Observe(tr)
			g := newGenerator(newBase(tr, bm.model, o), o, PR)
			for r := range g.receives {
				g.shut(int32(r))
			}
			return g
		}
		b.Run(bm.name+"/setup", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ready()
			}
		})
		b.Run(bm.name+"/schedule", func(b *testing.B) {
			g, steps, n := ready(), 0, 0
			var seqs []sequence
			for b.Loop() {
				out := g.next()
				if out == nil {
					b.StopTimer()
					g = ready()
					b.StartTimer()
					continue
				}
				seqs = g.achieve(out, seqs)
				steps += len(out)
				n++
			}
			b.ReportMetric(float64(steps)/float64(max(n, 1)), "places/op")
		})
	}
}

// BenchmarkLarge: 100,000 receives of 1,000 actors. heap-MB is what is in use with the base, the goals and one
// schedule.
func BenchmarkLarge(b *testing.B) {
	tr := large(1000, 100_000, false)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		o := NewAchieved()
		o.Observe(tr)
		g := newGenerator(newBase(tr, trace.FIFO, o), o, PR)
		if out := g.next(); len(out) < 2 {
			b.Fatal("no schedule")
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "heap-MB")
		b.ReportMetric(float64(len(g.places)), "places")
		b.ReportMetric(float64(after.Sys)/1e6, "sys-MB")
		runtime.KeepAlive(g)
	}
}
