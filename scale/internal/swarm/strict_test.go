package swarm

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// valuesOf is how many values a JSON text has, by reading it.
func valuesOf(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += valuesOf(e)
		}
	case map[string]any:
		for _, e := range v {
			n += valuesOf(e)
		}
	}
	return n
}

// A text is taken to have at least as many values as it has, and no more than one more for each list that is empty.
func TestValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var empty int
	var make func(depth int) any
	make = func(depth int) any {
		k := random.IntN(6)
		if depth == 0 {
			k = random.IntN(3)
		}
		switch n := random.IntN(4); k {
		case 0:
			return random.IntN(100)
		case 1:
			return strings.Repeat(`"{[,\`, n)
		case 2:
			return nil
		case 3:
			m := map[string]any{}
			for i := range n {
				m[fmt.Sprintf(`a",{\%d`, i)] = make(depth - 1)
			}
			if n == 0 {
				empty++
			}
			return m
		}
		var l = []any{}
		for range random.IntN(4) {
			l = append(l, make(depth-1))
		}
		if len(l) == 0 {
			empty++
		}
		return l
	}
	for range 2000 {
		empty = 0
		v := make(5)
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := values(text), valuesOf(v)+empty; got != want {
			t.Fatalf("%s has %d values, want %d", text, got, want)
		}
	}
}

// A value of two bytes may become one of hundreds: a message that has very many is refused before it is read.
func TestManyValues(t *testing.T) {
	for _, text := range []string{
		`{"report":{"found":[{}` + strings.Repeat(",{}", mostValues) + `]}}`,
		`{"report":{"done":[1` + strings.Repeat(",1", mostValues) + `]}}`,
		`{"answers":[{}` + strings.Repeat(",{}", mostValues) + `]}`,
		strings.Repeat("[", mostValues),
	} {
		_, err := decodeResult([]byte(text), seedTask())
		if want := fmt.Sprintf("more than %d values", mostValues); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: %v, want %q", text, err, want)
		}
	}
	if _, err := decodeTask([]byte(`{"parts":[` + strings.Repeat("1,", mostValues) + `1]}`)); err == nil {
		t.Error("a task with very many values is one")
	}
}

// What others could not read is not sent: it would be the end of the job.
func TestTooLargeToRead(t *testing.T) {
	long := parallel.Parts{{Rest: make([]byte, streams.MaxData*3/4)}}
	for want, parts := range map[string]parallel.Parts{
		"at most 1048576 are read":  make(parallel.Parts, parallel.MostItems+1),
		"at most 67108864 are sent": long,
	} {
		r := &result{Report: &parallel.Report{Done: []int{3}, New: parts}}
		if _, err := r.encode(); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "use -workers") {
			t.Errorf("%v: want the limit, and what to do", err)
		}
	}
}
