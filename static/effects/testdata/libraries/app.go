// Package libraries holds handlers as applications have them, with the libraries that these use. The comment at each message says what its handler does.
package libraries

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"maps"
	"math/rand"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
	"go.uber.org/zap"
	"google.golang.org/protobuf/proto"

	"github.com/rehearse-go/rehearse/actor"
)

var logger = slog.Default().With("part", "store")

var errNone = errors.New("none")

type (
	put struct {
		Name string
		Body []byte
	}
	changed struct{ n int }
	named   struct{ id uuid.UUID }
)

// tagged encodes itself, and only reads.
type tagged struct{ tags map[string]string }

func (t tagged) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(t.tags)) {
		b.WriteString(strconv.Quote(k))
	}
	return []byte(b.String()), nil
}

type byAge struct{ ages []int }

func (b byAge) Len() int           { return len(b.ages) }
func (b byAge) Less(i, j int) bool { return b.ages[i] < b.ages[j] }
func (b byAge) Swap(i, j int)      { b.ages[i], b.ages[j] = b.ages[j], b.ages[i] }

type store struct {
	zap   *zap.Logger
	zero  *zerolog.Logger
	stock map[string]int
	names []string
	order *Order
	tag   tagged
	ages  byAge
	at    time.Time
	n     int
	conf  struct{ Deep map[string]int }
}

func (s *store) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case logs:
		slog.Info("got", "n", s.n, "err", errNone)
		logger.Warn("got", slog.Int("n", s.n))
		log.Printf("%v", s.names)
		s.zap.With(zap.String("a", "b")).Info("got", zap.Int("n", s.n), zap.Error(errNone), zap.Any("names", s.names))
		s.zero.Info().Str("a", "b").Msg("got")
		fmt.Fprintf(os.Stderr, "%d", s.n)
	case clock:
		s.at = time.Now()
	case compares:
		if s.at.Before(time.Unix(0, 0)) || errors.Is(errNone, os.ErrClosed) {
			s.n++
		}
	case draws:
		s.n = rand.Intn(6)
	case identifies:
		ctx.Reply(named{uuid.New()})
	case encodes:
		data, err := json.Marshal(s.tag)
		if err != nil {
			ctx.Reply(fmt.Errorf("encode %s: %w", m, err).Error())
		}
		s.names = append(s.names, string(data))
	case decodes:
		_ = json.Unmarshal([]byte("{}"), &s.conf)
	case protoDecodes:
		_ = proto.Unmarshal(nil, s.order)
	case protoEncodes:
		if data, err := proto.Marshal(s.order); err == nil && s.order.GetId() != "" {
			ctx.Reply(put{s.order.String(), data})
		}
	case protoReflects:
		if s.order.ProtoReflect().IsValid() {
			s.n++
		}
	case protoResets:
		s.order.Reset()
	case sorts:
		sort.Sort(s.ages)
	case keys:
		for _, k := range slices.SortedFunc(maps.Keys(s.stock), cmp.Compare[string]) {
			s.n += len(k)
		}
		for k := range maps.Keys(s.stock) {
			s.names = append(s.names, k)
		}
	case text:
		var b bytes.Buffer
		fmt.Fprintf(&b, "%d", s.n)
		s.names = slices.Insert(s.names, 0, strings.ToUpper(b.String()))
	}
}

type (
	logs          string
	logsAsked     string
	printsAsked   string
	printsDeep    string
	clock         string
	compares      string
	draws         string
	identifies    string
	encodes       string
	decodes       string
	protoDecodes  string
	protoEncodes  string
	protoReflects string
	protoResets   string
	sorts         string
	keys          string
	text          string
)

func start(ctx *actor.Context) { ctx.Spawn(&store{}) }
