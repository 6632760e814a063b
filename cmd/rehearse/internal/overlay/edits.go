package overlay

import (
	"embed"
	"io/fs"
)

// An edit changes one declaration of the standard library. What it looks for occurs in the declaration once; a version
// of Go in which it does not is refused.
type edit struct {
	file   string // below GOROOT/src
	decl   string // a function, Type.method, type or variable; "*" for all methods of a file
	anchor string // text of the declaration; "" for the end of a struct, or the beginning of a body
	text   string // what the anchor becomes; "$0" is the anchor. Where there is no anchor it is inserted
}

// edits are all of them. They fit every version in verified.
var edits = []edit{
	// What a goroutine has to know: how it stands to the control, which execution interrupted it, whether it was preempted
	// at a point, and when it became runnable.
	{"runtime/runtime2.go", "g", "",
		"\n\trehearse       uint32\n\trehearseGoesOn uint32\n\trehearseYields bool\n\trehearseLostIn " +
			"uint32\n\trehearseOrder  uint64\n\trehearseBy     [5]uintptr\n"},
	{"runtime/proc.go", "newproc1", "newg.startpc = fn.fn",
		"$0\n\tnewg.rehearse, newg.rehearseGoesOn, newg.rehearseYields = 0, 0, false\n\trehearseNoteStart(newg, callergp)"},
	{"runtime/proc.go", "newproc1", "newg.bubble = callergp.bubble",
		"$0\n\t\tnewg.rehearse = callergp.rehearse\n\t\trehearseCreates()"},
	{"runtime/proc.go", "casgstatus", "if !gp.tracking {", "if newval == _Grunnable {\n\t\trehearseQueued(gp)\n\t}\n\t$0"},

	// Which goroutine goes on.
	{"runtime/proc.go", "schedule", "gp, inheritTime, tryWakeP := findRunnable() // blocks until work is available",
		"rehearseIdle()\n\t$0\n\tgp, inheritTime = rehearsePick(gp, inheritTime)"},
	{"runtime/proc.go", "goschedImpl", "casgstatus(gp, _Grunning, _Grunnable)",
		"$0\n\tif preempted {\n\t\trehearseInterrupted(gp)\n\t}"},
	{"runtime/proc.go", "newproc", "if mainStarted {\n\t\t\twakep()\n\t\t}\n\t})", "$0\n\trehearsePoint()"},
	{"runtime/chan.go", "chansend1", "", "\n\trehearsePoint()"},
	{"runtime/chan.go", "chanrecv1", "", "\n\trehearseFinePoint()"},
	{"runtime/chan.go", "chanrecv2", "", "\n\trehearseFinePoint()"},
	{"runtime/chan.go", "closechan", "", "\n\trehearseFinePoint()"},
	{"runtime/chan.go", "selectnbsend", "", "\n\trehearseFinePoint()"},
	{"runtime/chan.go", "selectnbrecv", "", "\n\trehearseFinePoint()"},
	{"runtime/chan.go", "reflect_chansend", "", "\n\trehearseFinePoint()"},
	{"runtime/chan.go", "reflect_chanrecv", "", "\n\trehearseFinePoint()"},
	{"runtime/select.go", "selectgo", "", "\n\trehearseFinePoint()"},
	{"sync/mutex.go", "Mutex.Lock", "", "\n\trehearsePoint()"},
	{"sync/mutex.go", "Mutex.Unlock", "m.mu.Unlock()", "$0\n\trehearsePoint()"},
	{"sync/mutex.go", "Mutex.TryLock", "", "\n\trehearseFinePoint()"},
	{"sync/cond.go", "Cond.Wait", "", "\n\trehearseFinePoint()"},
	{"sync/cond.go", "Cond.Signal", "", "\n\trehearseFinePoint()"},
	{"sync/cond.go", "Cond.Broadcast", "", "\n\trehearseFinePoint()"},
	{"sync/atomic/type.go", "*", "", " rehearsePoint(); "},
	{"sync/atomic/value.go", "*", "", " rehearsePoint(); "},

	// Numbers.
	{"runtime/rand.go", "rand", "mp := getg().m",
		"if rehearseControls(getg()) {\n\t\treturn rehearseMix(&rehearse.seed)\n\t}\n\t$0"},
	{"runtime/rand.go", "randinit", "globalRand.state.Init(*seed)", "*seed = [32]byte{1}\n\t$0"},
	{"math/rand/rand.go", "runtime_rand", "runtime.rand", "runtime.rehearseNumber"},
	{"math/rand/v2/rand.go", "runtime_rand", "runtime.rand", "runtime.rehearseNumber"},
	{"hash/maphash/maphash_runtime.go", "runtime_rand", "runtime.rand", "runtime.rehearseNumber"},

	// Maps, selects, timers.
	{"internal/runtime/maps/table.go", "Iter.Init", "it.dirOffset = rand()", "$0\n\tit.rehearseStart(m)"},
	{"runtime/select.go", "selectgo", "j := cheaprandn(uint32(norder + 1))",
		"j := uint32(norder)\n\t\tif !rehearseControls(gp) {\n\t\t\tj = cheaprandn(uint32(norder + 1))\n\t\t}"},
	{"runtime/select.go", "selectgo", "lockorder = lockorder[:norder]",
		"$0\n\tif rehearseControls(gp) {\n\t\trehearseSelect(scases, pollorder, nsends)\n\t}"},
	{"runtime/time.go", "timer.maybeAdd", "t.rand = cheaprand()", "t.rand = rehearseTie(t)"},
	{"runtime/time.go", "timer", "", "\n\trehearse uint32\n"},
	{"runtime/time.go", "timer.modify", "t.when = when\n", "$0\tt.rehearse = rehearseNewTimer(t)\n"},
	{"runtime/time.go", "timers.run", "t.unlockAndRun(now, bubble)",
		"if rehearseFire(ts, bubble) {\n\t\tt.unlock()\n\t\tgoto Redo\n\t}\n\t$0"},
	// Loops of the library over maps that come to the same in any order. What prints a map, or encodes it as JSON, sorts
	// its keys. Where that leaves the order of some open, the loop draws. DeepEqual says yes or no.
	// T.Log makes a set of names from a set of functions, once a test.
	{"internal/fmtsort/sort.go", "Sort", "iter.Next()", "iter.RehearseNextSorted()"},
	{"encoding/json/encode.go", "mapEncoder.encode", "mi.Next()", "mi.RehearseNextNamed()"},
	{"reflect/deepequal.go", "deepValueEqual", "iter.Next()", "iter.RehearseNext()"},
	{"testing/testing.go", "common.frameSkip",
		"for pc := range c.helperPCs {\n\t\t\t\tc.helperNames[pcToName(pc)] = struct{}{}\n\t\t\t}",
		"before := rehearseLeave()\n\t\t\t$0\n\t\t\trehearseReturn(before)"},

	// What depends on real time, and on the collector.
	{"runtime/sema.go", "internal_sync_nanotime", "return nanotime()",
		"if rehearseControls(getg()) {\n\t\treturn 1\n\t}\n\t$0"},
	{"runtime/mgcmark.go", "gcAssistAlloc", "", "\n\tif rehearseControls(gp) {\n\t\treturn\n\t}"},
}

//go:embed files
var files embed.FS

// added are the files that packages of the standard library get: the name below GOROOT/src, and the one in files.
var added = map[string]string{
	"runtime/zrehearse.go":               "files/runtime.txt",
	"internal/runtime/maps/zrehearse.go": "files/maps.txt",
	"sync/zrehearse.go":                  "files/sync.txt",
	"sync/atomic/zrehearse.go":           "files/atomic.txt",
	"reflect/zrehearse.go":               "files/reflect.txt",
	"testing/zrehearse.go":               "files/testing.txt",
}

// own gives the text of an added file.
func own(name string) []byte {
	text, err := fs.ReadFile(files, added[name])
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}
