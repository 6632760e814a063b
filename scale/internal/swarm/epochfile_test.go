package swarm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// manyEpochs are so many, of which the earlier ones are in files.
func manyEpochs(t *testing.T, j *streams.Job, number int, since func(n int) uint64) (e epochs, all []epoch) {
	t.Helper()
	for n := range number {
		next := epoch{Since: since(n), Executions: n % 7 * 1_000_000_000_000}
		all = append(all, next)
		if n == 0 {
			e.Epochs = []epoch{next}
		} else if err := e.begin(t.Context(), j, next); err != nil {
			t.Fatal(err)
		}
		if e.number() != n+1 {
			t.Fatalf("%d epochs, want %d", e.number(), n+1)
		}
	}
	return e, all
}

// A budget may be changed thousands of times: the state of the job stays small, and no epoch is forgotten.
func TestThousandsOfEpochs(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	const number = 5000
	random := rand.New(rand.NewPCG(1, 1))
	last := uint64(0)
	e, want := manyEpochs(t, j, number, func(n int) uint64 {
		if n > 0 {
			last += random.Uint64N(1 << 40)
		}
		return last
	})
	s := &seal{Record: strings.Repeat("a", 64), epochs: e}
	if err := s.store(t.Context(), j, 0); err != nil {
		t.Fatal(err)
	}
	data, _, err := j.State(t.Context())
	if err != nil || len(data) > 20<<10 {
		t.Errorf("a state of %d bytes, %v", len(data), err)
	}
	read, err := readSeal(t.Context(), j)
	if err != nil || read.number() != number {
		t.Fatalf("%v, %v", read, err)
	}
	if all, err := read.all(t.Context(), j); err != nil || !slices.Equal(all, want) {
		t.Errorf("%d epochs, want %d: %v", len(all), number, err)
	}
}

// Whoever goes on after the epochs were moved to a file has the number that agents have.
func TestGoesOnAfterEpochsWereMoved(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	opened(t, j, 10, reverse.New())
	s, revision, err := readState(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	s.epochs, _ = manyEpochs(t, j, mostInState, func(int) uint64 { return 0 })
	if err := s.store(t.Context(), j, revision); err != nil {
		t.Fatal(err)
	}
	for _, budget := range []int{20, 20, 30} {
		tr, _ := opened(t, j, budget, reverse.New())
		s, err := readSeal(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		want := mostInState + budget/10 - 1
		name := fmt.Sprintf("t1-%d", want)
		if s.number() != want || len(tr.epochs) != want || tr.open[name] == nil ||
			len(s.Epochs) != budget/10-1 {
			t.Errorf("epoch %d, of which the state has %d; %d; the tasks are %s: want %s", s.number(), len(s.Epochs),
				len(tr.epochs), budgets(tr), name)
		}
		tr.Close()
	}
}

// What somebody else has written in the place of epochs is refused, and it is said what to do.
func TestHostileEpochs(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	put := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		name := hex.EncodeToString(sum[:])
		if err := j.PutFile(t.Context(), epochsFile+name, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	other := strings.Repeat("b", 64)
	if err := j.PutFile(t.Context(), epochsFile+other, strings.NewReader("{}")); err != nil {
		t.Fatal(err)
	}
	three := `{"epochs":[{"since":0},{"since":3},{"since":3}]}`
	for name, c := range map[string]struct {
		file   string
		number int
		want   string
	}{
		"another number": {put(three), 4, "3 epochs are there and before: the state of the job says 4"},
		"not there":      {strings.Repeat("c", 64), 3, "not on the server"},
		"no name":        {"a*b", 3, "is no name"},
		"another digest": {other, 3, "another digest"},
		"none":           {put(`{"epochs":[],"earlier":{"file":"x","number":3}}`), 3, "no first epoch"},
		"no epochs":      {put(`[]`), 3, "cannot unmarshal"},
		"backwards":      {put(`{"epochs":[{"since":0},{"since":9}]}`), 2, "epoch 3 begins after 5 results"},
		"no beginning":   {put(`{"epochs":[{"since":2}]}`), 1, "no first epoch"},
		"negative":       {put(`{"epochs":[{"since":2}],"earlier":{"file":"x","number":-1}}`), 0, "want at least 1"},
		"very many": {put(`{"epochs":[{"since":2}],"earlier":{"file":"x","number":2000000}}`), 2_000_001,
			"at most 1048576"},
	} {
		e := &epochs{&earlier{c.file, c.number}, []epoch{{Since: 5}}}
		if got, err := e.all(t.Context(), j); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "and begin anew") {
			t.Errorf("%s: %v, %v, want %q", name, got, err, c.want)
		}
	}
	for _, text := range []string{`{"epochs":[]}`, `{"earlier":{"file":"x","number":0},"epochs":[{"since":1}]}`,
		`{"earlier":{"file":"x","number":3},"epochs":[]}`, `{"earlier":{"file":"x","number":-3},"epochs":[{"since":1}]}`} {
		var e epochs
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.check() == nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	full := epochs{&earlier{other, mostEpochs}, make([]epoch, mostInState)}
	err := full.begin(t.Context(), j, epoch{})
	if err == nil || !strings.Contains(err.Error(), "cannot be changed again") {
		t.Errorf("%v: want that there are too many", err)
	}
}

// FuzzState: any bytes give an error, or a state that has a last epoch, and is written as it was read.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"record":"a","epochs":[{"since":0},{"since":3,"executions":5}]}`))
	f.Add([]byte(`{"record":"a","earlier":{"file":"b","number":256},"epochs":[{"since":3}]}`))
	f.Add([]byte(`{"record":"a","earlier":{"file":"b","number":-1},"epochs":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s seal
		if strictly(data, &s) != nil || s.check() != nil {
			return
		}
		if n := s.number(); n < 1 || n > mostEpochs+len(s.Epochs) {
			t.Errorf("%d epochs", n)
		}
		var again seal
		b, err := json.Marshal(s)
		if err == nil {
			err = strictly(b, &again)
		}
		if err != nil || again.check() != nil || again.number() != s.number() || again.Record != s.Record {
			t.Errorf("%+v, then %+v, %v", s, again, err)
		}
	})
}
