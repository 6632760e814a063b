// Package asked has values that do more than read when a library asks them something.
package asked

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	"go.uber.org/zap"

	"github.com/rehearse-go/rehearse/actor"
)

// counted prints itself, and writes when it does.
type counted struct{ asked int }

func (c *counted) String() string {
	c.asked++
	return ""
}

// coded encodes itself, and writes when it does.
type coded struct{ asked *int }

func (c coded) MarshalJSON() ([]byte, error) {
	*c.asked = 1
	return nil, nil
}

type byAge struct{ ages []int }

func (b byAge) Len() int           { return len(b.ages) }
func (b byAge) Less(i, j int) bool { return b.ages[i] < b.ages[j] }
func (b byAge) Swap(i, j int)      { b.ages[i], b.ages[j] = b.ages[j], b.ages[i] }

type (
	logs     struct{ n int }
	prints   struct{ n int }
	deep     struct{ n int }
	hidden   struct{ n int }
	numbers  struct{ n int }
	encodes  struct{ n int }
	sorts    struct{ n int }
	compares struct{ n int }
)

type store struct {
	zap   *zap.Logger
	hits  *counted
	coded coded
	ages  byAge
	any   any
	n     int
}

func (s *store) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case logs:
		s.zap.Info("got", zap.Stringer("hits", s.hits))
	case prints:
		_ = fmt.Sprintf("%v", s.hits)
	case deep:
		_ = fmt.Sprint(struct{ c *counted }{s.hits})
	case hidden:
		_ = fmt.Sprint(s.any)
	case numbers:
		_ = fmt.Sprintf("%d", s.n)
	case encodes:
		_, _ = json.Marshal(s.coded)
	case sorts:
		sort.Sort(s.ages)
	case compares:
		if errors.Is(nil, nil) {
			s.n++
		}
	}
}

func start(ctx *actor.Context) { ctx.Spawn(&store{}) }
