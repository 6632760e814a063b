package swarm

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/sample"
)

// seedTask is what fuzzing begins with.
func seedTask() *parallel.Task {
	return &parallel.Task{Parts: parallel.Parts{{ID: 3, Rest: []byte("r")}, {ID: 5, Steps: make([]byte, 32)}}, Budget: 7}
}

// FuzzTask: any bytes give a task that is written as it was read, or an error.
func FuzzTask(f *testing.F) {
	data, _ := encodeTask(seedTask())
	f.Add(data)
	f.Add([]byte(`{"parts":[{"id":1}],"executions":1,"deaths":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		task, err := decodeTask(data)
		if err != nil {
			return
		}
		b, err := encodeTask(task)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := decodeTask(b); err != nil || fmt.Sprint(again) != fmt.Sprint(task) {
			t.Errorf("%v, then %v, %v", task, again, err)
		}
	})
}

// FuzzResult: any bytes give an error, or a report that can be folded: what it leaves are tasks that can be published.
func FuzzResult(f *testing.F) {
	first := &parallel.Report{Done: []int{1}, New: parallel.Parts{{Rest: make([]byte, 16)}, {Rest: []byte{1}}},
		Tasks: []parallel.Batch{{Items: 2}}}
	data, _ := (&result{Worker: "a", Report: first}).encode()
	f.Add(data)
	data, _ = (&result{Report: &parallel.Report{Done: []int{1}, Deadly: 1}}).encode()
	f.Add(data)
	f.Add([]byte(`{"worker":"a","error":"why"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := sample.NewRandom(1)
		s.Limit(100)
		tally, err := parallel.Begun(s)
		if err != nil {
			t.Fatal(err)
		}
		task := tally.FirstTasks()[0]
		r, err := decodeResult(data, &task)
		if err != nil || r.Error != "" || tally.Fold(r.Report) != nil {
			return
		}
		for _, task := range append(tally.Tasks(r.Report), tally.Reopen()...) {
			if err := task.Check(); err != nil {
				t.Errorf("%v: %v", task, err)
			}
		}
	})
}
