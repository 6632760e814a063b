package streams

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
)

// BenchmarkTasks measures the way of a task: published before, then pulled, its result of the same size published, and
// acknowledged, by eight workers and a server in one process.
func BenchmarkTasks(b *testing.B) {
	for _, sync := range []bool{false, true} {
		for _, size := range []int{16, 1 << 10, 64 << 10} {
			b.Run(fmt.Sprintf("sync=%v/bytes=%d", sync, size), func(b *testing.B) { benchmarkTasks(b, sync, size) })
		}
	}
}

func benchmarkTasks(b *testing.B, always bool, size int) {
	const workers = 8
	s, err := broker.Start(broker.Options{Folder: b.TempDir(), SyncAlways: always})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	nc, err := broker.Connect(context.Background(), s.Access().Local("benchmark"))
	if err != nil {
		b.Fatal(err)
	}
	defer nc.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	j, err := Create(ctx, nc, "job", Options{})
	if err != nil {
		b.Fatal(err)
	}
	tasks := make([]Entry, b.N)
	for i := range tasks {
		tasks[i] = Entry{fmt.Sprint(i), make([]byte, size)}
	}
	before := time.Now()
	if err := j.PublishTasks(ctx, tasks); err != nil {
		b.Fatal(err)
	}
	published := time.Since(before)
	used := gotest.ProcessorTime()
	b.ResetTimer()
	var done atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				t, err := j.PullTask(ctx)
				if err != nil {
					return
				}
				if won, err := j.PublishResult(ctx, t.Name, t.Data); !won || err != nil {
					b.Errorf("the result of %s won: %v, %v", t.Name, won, err)
				}
				if err := t.Ack(ctx); err != nil {
					b.Error(err)
				}
				if done.Add(1) == int64(b.N) {
					cancel()
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
	b.ReportMetric(float64(b.N)/published.Seconds(), "published/s")
	b.ReportMetric(float64((gotest.ProcessorTime()-used).Microseconds())/float64(b.N), "µs-cpu/task")
}
