package summary_test

import (
	"strings"
	"testing"
)

// TestPanicsOfInputs: what an input holds may not be comparable, nested interfaces have a bound, and library functions
// panic.
func TestPanicsOfInputs(t *testing.T) {
	got := summaries(t, "../../subjects", `package subjects

import (
	"encoding/binary"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

type (
	zzKey   struct{ k any }
	zzTwo   struct{ a zzPair }
	zzNest  struct{ x any }
	zzPair  struct {
		n int
		x any
	}
	zzText   struct{ n int }
	zzTick   struct{ d time.Duration }
	zzBytes  struct{ b []byte }
	zzRegexp struct{ s string }
	zzMirror struct{}
	zzJSON   struct{ b []byte }
)

type zz struct {
	n    int
	seen map[any]bool
}

func (z *zz) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case zzKey:
		delete(z.seen, m.k)
	case zzTwo:
		if m.a == (zzPair{1, []int(nil)}) {
			z.n = 1
		}
	case zzNest:
		if m.x == any(m) {
			z.n = 2
		}
	case zzText:
		z.n = len(strings.Repeat("a", m.n))
	case zzTick:
		time.NewTicker(m.d)
	case zzBytes:
		z.n = int(binary.BigEndian.Uint16(m.b))
	case zzRegexp:
		regexp.MustCompile(m.s)
		regexp.MustCompile("a*")
	case zzMirror:
		reflect.ValueOf(z).Elem().Field(0).SetInt(5)
	case zzJSON:
		json.Unmarshal(m.b, z)
	}
}
`)
	before, nested, _ := strings.Cut(got, "subjects.zz on subjects.zzNest")
	nested, after, _ := strings.Cut(nested, "subjects.zz on ")
	if !strings.Contains(nested, "cut: interfaces in interfaces are compared, nested deeper than 12") || strings.Count(nested, "  path ") != 13 {
		t.Errorf("a comparison of an interface with one that holds it:\n%s", nested)
	}
	same(t, before+"subjects.zz on "+after, panicsWant)
}

const panicsWant = `
subjects.zz on subjects.zzBytes: 2 paths, exact, complete
  path 1
    if len(msg.b) < 2
    panic: index out of range
  path 2
    if len(msg.b) >= 2
    z.n = int(uint16(call("(encoding/binary.bigEndian).Uint16", len(msg.b), 1)))
    return
subjects.zz on subjects.zzJSON: 1 path, inexact, complete
  path 1
    z.n = sym("encoding/json.Unmarshal(len(msg.b), 1)1.n")
    return
    havoc: encoding/json.Unmarshal, which may leave a part of what was there
subjects.zz on subjects.zzKey: 2 paths, exact, complete
  path 1
    if msg.k holds []int
    panic: comparing or hashing an uncomparable type
  path 2
    if msg.k does not hold []int
    z.seen[msg.k]!has = false
    return
    closed: msg.k holds a value that can be hashed, or a []int
subjects.zz on subjects.zzMirror: 1 path, inexact, complete
  path 1
    return
    havoc: (reflect.Value).Elem, which may panic
    havoc: (reflect.Value).Field, which may panic
    havoc: (reflect.Value).SetInt, which may panic
    havoc: (reflect.Value).SetInt, which is not modelled
subjects.zz on subjects.zzRegexp: 1 path, inexact, complete
  path 1
    return
    havoc: regexp.MustCompile, which may panic
subjects.zz on subjects.zzText: 2 paths, exact, complete
  path 1
    if msg.n < 0
    panic: strings: negative Repeat count
  path 2
    if msg.n >= 0
    z.n = len(strings.Repeat("a", msg.n))
    return
subjects.zz on subjects.zzTick: 2 paths, exact, complete
  path 1
    if msg.d <= 0
    panic: non-positive interval for a ticker
  path 2
    if msg.d > 0
    return
    env: time.NewTicker
subjects.zz on subjects.zzTwo: 3 paths, exact, complete
  path 1
    if msg.a.n == 1
    if msg.a.x holds []int
    panic: comparing or hashing an uncomparable type
  path 2
    if msg.a.n == 1
    if msg.a.x does not hold []int
    return
  path 3
    if msg.a.n != 1
    return
`
