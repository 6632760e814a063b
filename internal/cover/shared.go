package cover

import (
	"bytes"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
)

// Shared is Star in rounds of so many executions, so that processes can share it. A round begins with an execution of
// its own, and knows which goals others have achieved, as far as that was told before: it makes no schedules for these.
// What Star keeps besides, its bases, ends with the round.
//
// It is another strategy than Star. In one process too, bases are forgotten after each round. In several it depends on
// when a process tells of its goals which schedules another one makes.
//
//	source:     that of Star
//	differs:    each execution has a number. Its random draws are those of the number, so no two are drawn alike
//	invariants: I1 the executions of the items are those with the numbers of the whole, each once (search.Range)
//	            I2 what is told is no more than a set of goals: it changes which schedules are made, and an execution is
//	               recorded and replayed as ever
//	cost:       that of Star, and a set of goals a round (told.go)
//	checked by: shared_test.go: coverage on random programs beside Star, divided and undivided
type Shared struct {
	search.Range
	*Star // of the round

	seed            uint64
	initial, random explore.Strategy
	env             explore.Env
	told            *Achieved // by others, before this item
	all             *Achieved // and here
	taken           bool      // an item, which ends with the round
	left            int       // executions of the round

	sum   []byte    // what Merge has made last,
	goals *Achieved // and as a set
}

// round is how many executions a round has. Shorter rounds know more of others, and have fewer bases. One part sees
// 31,081 orders of savina's philosophers in 4,096 executions with 32, 30,137 with 64, 33,465 with 128, and 32,750 with
// 256.
const round = 128

var (
	_ explore.Numbered          = (*Shared)(nil)
	_ explore.Sharer            = (*Shared)(nil)
	_ explore.Binder            = (*Shared)(nil)
	_ explore.ExecutionObserver = (*Shared)(nil)
	_ explore.DrawSampler       = (*Shared)(nil)
)

// NewShared makes the strategy: initial makes execution 0, and random the first of each other round, and some more.
func NewShared(seed uint64, initial, random explore.Strategy) *Shared {
	return &Shared{Range: search.Range{Round: round}, seed: seed, initial: initial, random: random,
		told: NewAchieved(), all: NewAchieved()}
}

// Name is "cover/shared".
func (*Shared) Name() string { return "cover/" + sharedWord }

// Bind is explore.Binder.
func (s *Shared) Bind(e explore.Env) error {
	s.env = e
	return NewStar(s.seed, s.initial, s.random).Bind(e)
}

// Take is explore.Divisible.
func (s *Shared) Take(item explore.Item) error {
	s.taken = true
	return s.Range.Take(item)
}

// Start goes on with the round. An item ends with it: the rest is to know more.
func (s *Shared) Start() bool {
	if s.left == 0 && s.taken && s.Star != nil {
		return false
	}
	n, ok := s.Next()
	if !ok {
		return false
	}
	if s.left == 0 {
		s.begin(n)
	}
	s.left--
	s.Star.execution = n
	if r, ok := s.random.(interface{ GoTo(number uint64) }); ok {
		r.GoTo(n)
	}
	return s.Star.Start()
}

// begin begins a round with an execution of that number.
func (s *Shared) begin(number uint64) {
	s.left = round
	s.Star = NewStar(s.seed, s.initial, s.random)
	s.Star.o = s.all
	s.Star.anyBase = true // what it shows is known to others, perhaps, but it has goals that are open
	s.Star.begun = number > 0
	_ = s.Star.Bind(s.env) // which Bind has tried
}

// Complete is false: not every order was executed.
func (*Shared) Complete() bool { return false }

// Report is explore.Reporter.
func (*Shared) Report() explore.Report { return explore.Report{} }

// Tell is explore.Sharer.
func (s *Shared) Tell(all []byte) (err error) {
	if all == nil {
		return nil
	}
	if s.told, err = decodeAchieved(all); err == nil {
		s.all, err = decodeAchieved(all)
	}
	return err
}

// Learned is explore.Sharer: the goals that nobody told of, unless they are too many.
func (s *Shared) Learned() []byte {
	b := s.all.encode(s.told)
	if _, err := decodeAchieved(b); err != nil {
		return nil // it is none, or too large
	}
	return b
}

// Merge is explore.Sharer. Goals that make it too large are not told: they are achieved again.
func (s *Shared) Merge(all, learned []byte) ([]byte, error) {
	more, err := decodeAchieved(learned)
	if err != nil || all == nil {
		return learned, err
	}
	sum := s.goals
	if sum == nil || !bytes.Equal(s.sum, all) { // it mostly is
		if sum, err = decodeAchieved(all); err != nil {
			return nil, err
		}
	}
	s.sum, s.goals = nil, nil
	sum.union(more)
	b := sum.encode(nil)
	if len(b) > search.MostTold || sum.words > mostToldWords {
		return all, nil
	}
	s.sum, s.goals = b, sum
	return b, nil
}
