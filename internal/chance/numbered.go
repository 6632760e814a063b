package chance

import (
	"encoding/binary"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Kind says what a numbered draw decides.
type Kind uint8

// The kinds of numbered draws.
const (
	Map Kind = iota + 1 // at which entry a loop over a map begins
	// which of the ready cases a select takes: sends and then receives, in the order of the source
	Select
	Goroutine // which runnable goroutine goes on, the one that has waited longest first
	Point     // whether a goroutine is preempted here: 0 no, 1 yes
	// which of several timers of channels that are due at one time fires, the one set first first
	Timer
)

// String gives the kind as a word.
func (k Kind) String() string {
	switch k {
	case Map:
		return "map"
	case Select:
		return "select"
	case Goroutine:
		return "goroutine"
	case Point:
		return "point"
	case Timer:
		return "timer"
	}
	return "unknown"
}

// Frames is how many callers a draw remembers.
const Frames = 6

// Draw is a choice of Go that has a number. The runtime writes values of this type, so its layout is part of the
// overlay (files/runtime.txt there).
type Draw struct {
	Kind    Kind
	keyKind uint8
	keyLen  uint8
	N       uint32 // number of values, at least 2
	Value   uint32 // the one taken, below N; 0 is the default
	// Site has the callers, innermost first, 0 behind the last. Goroutine: those of the go statement of the goroutine
	// picked, and then the function that it runs. Timer: none.
	Site [Frames]uintptr
	key  [24]byte
}

// The kinds of keys that the runtime tells.
const (
	text = iota + 1
	cutText
	signed
	unsigned
)

// Key gives the key of the entry at which a loop over a map begins, as Go would write it: "" where it is not known.
// That of texts and whole numbers is, in maps of up to 8 entries.
func (d *Draw) Key() string {
	switch n := binary.NativeEndian.Uint64(d.key[:]); d.keyKind {
	case text:
		return strconv.Quote(string(d.key[:d.keyLen]))
	case cutText:
		return strconv.Quote(strings.ToValidUTF8(string(d.key[:d.keyLen]), "") + "…")
	case signed:
		return strconv.FormatInt(int64(n), 10)
	case unsigned:
		return strconv.FormatUint(n, 10)
	}
	return ""
}

// Frame gives the innermost caller outside the standard library, one in that if there is none, and the zero Frame if
// nothing is known.
func (d Draw) Frame() runtime.Frame {
	var inner, programs runtime.Frame
	library := d.frames(func(f runtime.Frame) bool {
		if inner.Function == "" {
			inner = f
		}
		if standard(f.File) {
			return true
		}
		programs = f
		return false
	})
	switch {
	case programs.Function != "":
		return programs
	case inner.Function != "":
		return inner
	}
	return library
}

// OfLibrary reports whether a frame is one of the standard library.
func OfLibrary(f runtime.Frame) bool { return machinery(f.Function) || standard(f.File) }

// standard reports whether a file is one of the standard library. Where tests are built with -trimpath nothing tells.
func standard(file string) bool { return sources() != "" && strings.HasPrefix(file, sources()) }

// sources is the folder of the standard library, as files of this process are named; "" if they have no folder.
var sources = sync.OnceValue(func() string {
	cut := runtime.FuncForPC(reflect.ValueOf(strings.Cut).Pointer())
	file, _ := cut.FileLine(cut.Entry())
	at, _, ok := strings.Cut(file, "/src/strings/")
	if !ok {
		return ""
	}
	return at + "/src/"
})

// Frames calls yield for the callers outside the standard library's machinery, from the innermost on, for as long as
// it reports true.
func (d Draw) Frames(yield func(runtime.Frame) bool) { d.frames(yield) }

// frames is Frames. It gives the outermost caller in the machinery, but for the runtime, that it has come by: a
// goroutine that WaitGroup.Go has started has no other.
func (d Draw) frames(yield func(runtime.Frame) bool) (library runtime.Frame) {
	n := 0
	for n < len(d.Site) && d.Site[n] != 0 {
		n++
	}
	if n == 0 {
		return
	}
	for frames := runtime.CallersFrames(d.Site[:n]); ; {
		f, more := frames.Next()
		switch {
		case f.Function == "":
		case !machinery(f.Function):
			if !yield(f) {
				return library
			}
		case !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "internal/"):
			library = f
		}
		if !more {
			return library
		}
	}
}

// machinery reports whether a function belongs to the packages in which draws happen on behalf of others.
func machinery(function string) bool {
	for _, p := range []string{"runtime.", "internal/", "sync.", "sync/atomic.", "reflect.", "maps.",
		"slices.", "iter.", "time."} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}

// Source is where numbered draws come from: the runtime that `rehearse test` builds, or a fake of a test. See the
// functions of the same names.
type Source interface {
	Begin(hi, lo uint64, script []uint32, sample bool, points int)
	End() []Draw
	Logged() []Draw
	Unnumbered() Unnumbered
	Leave() uint32        // takes the goroutine that calls it out of control: its draws are those of anybody
	Return(before uint32) // undoes Leave, or gives the goroutine the standing that another one had
}

// Unnumbered counts the draws since Begin that have no number, or were not written down. They follow the seed.
type Unnumbered struct {
	Numbers uint64 // of rand: math/rand without a seed, hash/maphash
	Maps    uint64 // loops over maps of more than 8 entries, whose order depends on the seed of the hash
	Lost    uint64 // numbered ones for which there was no room in the log
	Spent   uint64 // points at which nobody was asked any more, since goroutines had been preempted as often as allowed
}

// attached is the *Source of this process, nil if its draws have no numbers. SUBTLE: methods of package atomic are
// points at which goroutines are preempted, and this is read in the middle of what is under control. Functions of
// that package are none.
var attached unsafe.Pointer

func load() *Source { return (*Source)(atomic.LoadPointer(&attached)) }

func swap(s *Source) (before *Source) {
	return (*Source)(atomic.SwapPointer(&attached, unsafe.Pointer(s)))
}

// Numbered reports whether the runtime of this process numbers its draws: the test was built by `rehearse test`. It
// is false in plain go test.
func Numbered() bool { return load() != nil }

// SetSource has the numbered draws come from s until restore is called. With nil there are none, as in plain go test.
// It is for tests of what explores draws.
func SetSource(s Source) (restore func()) {
	var next *Source
	if s != nil {
		next = &s
	}
	before := swap(next)
	return func() { swap(before) }
}

// Begin has the draws of the goroutine that calls it, of those that it starts, and of its bubble follow a script from
// here on. The first draw with two values or more takes the first value, and so on. The draws behind the script take 0,
// or what the seed of two words says (sample): the same as without a script. Draws without numbers follow the seed.
// points is how often goroutines may be preempted, below 0 without a limit: when they have been, there are no more
// draws of Kind Point. Begin clears the log.
//
// The order of goroutines is under control only where GOMAXPROCS is 1 (Alone). Without a source nothing happens.
func Begin(hi, lo uint64, script []uint32, sample bool, points int) {
	if s := current(); s != nil {
		s.Begin(hi, lo, script, sample, points)
	}
}

// End ends what Begin began, and gives the draws with two values or more, in their order. They are valid until the
// next Begin. It is called by the goroutine that called Begin.
func End() []Draw {
	if s := current(); s != nil {
		return s.End()
	}
	return nil
}

// Logged gives the draws so far between Begin and End. They are valid until the next Begin.
func Logged() []Draw {
	if s := current(); s != nil {
		return s.Logged()
	}
	return nil
}

// Leave takes the goroutine that calls it out of control, until Return is called with what Leave gave. What it draws
// has no number, and it is none of the goroutines of which one is drawn. Goroutines that it starts meanwhile are out of
// control too.
func Leave() (before uint32) {
	if s := current(); s != nil {
		return s.Leave()
	}
	return 0
}

// Return undoes Leave. With InBubble the goroutine is under control as far as its bubble is.
func Return(before uint32) {
	if s := current(); s != nil {
		s.Return(before)
	}
}

// InBubble is how a goroutine stands to the control that is neither the one that called Begin nor out of control.
const InBubble uint32 = 0

// UnnumberedDraws counts the other draws between Begin and End. It is valid until the next Begin.
func UnnumberedDraws() Unnumbered {
	if s := current(); s != nil {
		return s.Unnumbered()
	}
	return Unnumbered{}
}

// current gives the source, nil if there is none.
func current() Source {
	if s := load(); s != nil {
		return *s
	}
	return nil
}
