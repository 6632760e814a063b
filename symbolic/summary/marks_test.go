package summary_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// markOf is what a handler of marksSource does that its paths do not know, by its message: how the marks begin.
var markOf = map[string][]string{
	"Goroutine": {"havoc: a goroutine"},
	"C":         {"havoc: C.twice, of which the source was not read"},
	"Channel":   {"havoc: a channel"},
	"Select":    {"havoc: a select"},
	"Reflect":   {"havoc: (reflect.Value).NumField, which may panic"},
	"Pool":      {"havoc: (*sync.Pool).Get, which is not modelled"},
	"Wait":      {"havoc: what other messages do to the actor while it waits"},
	"Kind":      {`opaque: a condition depends on what is not modelled: call("(reflect.Value).Kind"`, `opaque: a condition depends on what is not modelled: call("(reflect.Value).Kind"`},
	"Library":   {`opaque: a condition depends on what is not modelled: call("(*regexp.Regexp).MatchString"`, `opaque: a condition depends on what is not modelled: !call("(*regexp.Regexp).MatchString"`},
	"Sorted":    {`opaque: a condition depends on what is not modelled: call("math/bits.Len", len(z.list)) == 0`, `opaque: a condition depends on what is not modelled: call("math/bits.Len", len(z.list)) != 0`},
	"Time":      {"env: time.Now"},
	"Random":    {"env: math/rand.Int"},
	"File":      {"env: os.ReadFile", "opaque: a condition depends on what is not modelled: len(ReadFile1.r0) >= 0"},
	"Process":   {"env: (*os/exec.Cmd).Run"},
	"Variable":  {"env: the package variable subjects.zzLimit"},
	"Room":      {"env: whether a channel has room"},
	"Close":     {"env: whether a channel is closed"},
	"Capacity":  {"env: the capacity of z.list"},
	"Grown":     {"env: the capacity of z.list", "env: the capacity that append has chosen"},
	"Appended":  nil,
	"Forked":    {"env: the capacity that append has chosen"},
	"Rewritten": {"env: the capacity that append has chosen"},
	"Map":       {"order: the order of a map of 2 entries"},
	"Face":      {"closed: z.shape holds one of the program's 1 types that implement subjects.zzShape"},
	"Func":      {"closed: z.f is one of the program's 1 functions of its type"},
	"Hash":      {"closed: msg.K holds a value that can be hashed, or a func(n int) int"},
}

// TestMarks: what a path does not know is marked, with its kind. A handler that does nothing of this has no mark.
func TestMarks(t *testing.T) {
	got := map[string][]string{}
	name := ""
	for line := range strings.Lines(summaries(t, "../../subjects", marksSource)) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "subjects.zz on subjects.zz"); ok {
			name, _, _ = strings.Cut(rest, " ")
			got[name] = nil
		}
		kind, _, _ := strings.Cut(line, ":")
		line, _, _ = strings.Cut(line, " (zz.go:")
		if slices.Contains(kinds(), kind) && !slices.Contains(got[name], line) {
			got[name] = append(got[name], line)
		}
	}
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want := markOf[name]; !slices.EqualFunc(got[name], want, strings.HasPrefix) {
			t.Errorf("%s has the marks %q, want %q", name, got[name], want)
		}
		for _, m := range got[name] {
			kind, _, _ := strings.Cut(m, ":")
			seen[kind] = true
		}
	}
	for name := range markOf {
		if _, ok := got[name]; !ok {
			t.Errorf("no summary of %s", name)
		}
	}
	for _, kind := range kinds() {
		if !seen[kind] {
			t.Errorf("no handler has the mark %s", kind)
		}
	}
}

// kinds names all kinds of marks.
func kinds() (list []string) {
	for k := exec.Havoc; k <= exec.Closed; k++ {
		list = append(list, k.String())
	}
	return list
}

const marksSource = `package subjects

import (
	"math/rand"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

type (
	zzPlain     struct{ N int }
	zzGoroutine struct{}
	zzC         struct{ N int32 }
	zzChannel   struct{}
	zzRoom      struct{ N int }
	zzClose     struct{}
	zzSelect    struct{}
	zzReflect   struct{ V any }
	zzKind      struct{ V any }
	zzWait      struct{}
	zzLibrary   struct{ Text string }
	zzTime      struct{}
	zzRandom    struct{}
	zzFile      struct{}
	zzProcess   struct{}
	zzVariable  struct{}
	zzCapacity  struct{ N int }
	zzGrown     struct{ N int }
	zzAppended  struct{ N int }
	zzForked    struct{ N int }
	zzRewritten struct{ N int }
	zzMap       struct{ N int }
	zzFace      struct{}
	zzFunc      struct{ N int }
	zzHash      struct{ K any }
	zzSorted    struct{}
	zzPool      struct{}
)

type zzShape interface{ Area() int }

type zzSquare struct{ side int }

func (s zzSquare) Area() int { return s.side }

var zzLimit = 3

func SetZzLimit(n int) { zzLimit = n }

func zzTwice(n int) int { return 2 * n }

var _ = []any{zzShape(zzSquare{}), func(int) int(zzTwice)}

type zz struct {
	n     int
	c     chan int
	list  []int
	seen  map[any]bool
	shape zzShape
	f     func(int) int
	pool  *sync.Pool
}

func (z *zz) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case zzPlain:
		z.n += m.N
	case zzGoroutine:
		go z.run()
	case zzC:
		z.n = int(_Cfunc_twice(m.N))
	case zzChannel:
		z.n = <-z.c
	case zzRoom:
		z.c <- m.N
	case zzClose:
		close(z.c)
	case zzSelect:
		select {
		case z.n = <-z.c:
		default:
		}
	case zzReflect:
		z.n = reflect.ValueOf(m.V).NumField()
	case zzKind:
		if reflect.ValueOf(m.V).Kind() == reflect.Int {
			z.n = 1
		}
	case zzWait:
		ctx.AwaitUntil(func() bool { return z.n > 3 })
	case zzLibrary:
		if regexp.MustCompile("^a+$").MatchString(m.Text) {
			z.n = 1
		}
	case zzTime:
		z.n = time.Now().Second()
	case zzRandom:
		z.n = rand.Int()
	case zzFile:
		b, _ := os.ReadFile("name")
		z.n = len(b)
	case zzProcess:
		exec.Command("true").Run()
	case zzVariable:
		z.n = zzLimit
	case zzCapacity:
		z.n = cap(z.list)
	case zzGrown:
		z.n = cap(append(z.list, m.N))
	case zzAppended:
		list := append([]int(nil), m.N)
		list = append(list, 1)
		z.n = append(list, 2)[0]
	case zzForked:
		list := append([]int(nil), 1, 2, 3)
		longer := append(list, m.N)
		_ = append(list, 7)
		z.n = longer[3]
	case zzRewritten:
		list := append([]int(nil), 1, 2, 3)
		longer := append(list, m.N)
		list[0] = 5
		z.n = longer[0]
	case zzMap:
		for k := range map[string]int{"a": 1, "b": m.N} {
			ctx.Send(ctx.Self(), k)
		}
	case zzFace:
		z.n = z.shape.Area()
	case zzFunc:
		z.n = z.f(m.N)
	case zzHash:
		z.seen[m.K] = true
	case zzSorted:
		slices.Sort(z.list)
	case zzPool:
		z.pool.Get()
	}
}

func (z *zz) run() {}

// What cgo makes of a function of C looks like this.
var zzCode func(n, r *int32)

func _Cfunc_twice(n int32) (r int32) {
	zzCode(&n, &r)
	return r
}
`
