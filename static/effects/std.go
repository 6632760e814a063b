package effects

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file says what functions of the standard library do: nothing but read what they are given, or write their first argument too. What
// they give may hold what they were given. Functions that they are given are called, with parts of what else they are given.

// reading are packages whose functions only read. Those of writing write what their first argument leads to.
var (
	reading = []string{"strings", "strconv", "math", "math/bits", "math/cmplx", "unicode", "unicode/utf8", "errors", "cmp", "bytes", "slices", "maps", "sort"}
	writing = []string{
		"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Reverse", "slices.Insert", "slices.Delete", "slices.DeleteFunc",
		"slices.Replace", "slices.Compact", "slices.CompactFunc", "slices.Grow", "slices.AppendSeq", "maps.Copy", "maps.DeleteFunc", "maps.Insert",
		"sort.Ints", "sort.Strings", "sort.Float64s", "sort.Slice", "sort.SliceStable"}
	// sorts by interface, or what nobody would guess.
	strange = []string{"sort.Sort", "sort.Stable", "sort.Reverse", "sort.Find", "sort.Search", "errors.As", "errors.AsType", "bytes.NewBuffer", "bytes.NewBufferString",
		"bytes.NewReader", "strings.NewReader", "strings.NewReplacer", "maps.All", "maps.Collect", "slices.All", "slices.Values", "slices.Backward"}
	printing = []string{"fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln", "fmt.Errorf", "fmt.Print", "fmt.Printf", "fmt.Println",
		"fmt.Append", "fmt.Appendf"}
	timely = []string{"time.Unix", "time.UnixMilli", "time.Date", "time.ParseDuration"}
	// read-only methods of types whose other methods write their receiver.
	looking = []string{"String", "Len", "Cap", "Bytes"}
)

// standard evaluates a call of the standard library, if it is known.
func (f *frame) standard(instr ssa.Instruction, name string, c *ssa.CallCommon, args []val) ([]val, bool) {
	switch {
	case slices.Contains(strange, name):
		return nil, false
	case slices.Contains(writing, name), f.writesReceiver(name):
		f.h.scribbled(instr.Pos(), args[0], map[*object]bool{})
	case slices.Contains(printing, name), slices.Contains(timely, name), strings.HasPrefix(name, "(time.Duration)."), strings.HasPrefix(name, "(time.Time)."):
	case strings.HasPrefix(name, "(*log/slog.Logger)."), name == "log.Printf", name == "log.Println", name == "log.Print":
	case !slices.ContainsFunc(reading, func(p string) bool { return ofPackage(name, p) }):
		return nil, false
	}
	return f.mixed(instr, c, args), true
}

// writesReceiver is for builders, buffers and sources of random numbers with a seed of their own.
func (f *frame) writesReceiver(name string) bool {
	method := name[strings.LastIndexByte(name, '.')+1:]
	for _, t := range []string{"(*strings.Builder).", "(*math/rand.Rand).", "(*math/rand/v2.Rand)."} {
		if strings.HasPrefix(name, t) {
			return !slices.Contains(looking, method)
		}
	}
	return false
}

// mixed reads the arguments, calls the functions among them, and gives something made of them.
func (f *frame) mixed(instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	all := val{set: true, hidden: true}
	for i, a := range args {
		if i < len(c.Args) && isFunc(c.Args[i].Type()) {
			continue // called below
		}
		f.h.exposed(a)
		all.add(a.without())
		all.add(a.parts("[]").without())
		for _, r := range a.refs {
			if r.obj.kind != closure && r.obj.kind != context {
				all.add(f.h.load(instr.Pos(), only(r.part("[]")), anyType))
			}
		}
	}
	f.callbacks(instr, c, args, all)
	results := c.Signature().Results()
	out := make([]val, results.Len())
	for i := range out {
		out[i] = val{set: true}
		if v, ok := instr.(ssa.Value); ok && holdsReferences(results.At(i).Type()) {
			made := f.h.object(v, fresh)
			f.h.put(made, "", all)
			out[i] = val{refs: append(slices.Clone(all.refs), ref{obj: made}), set: true, hidden: true}
		}
	}
	return out
}

// callbacks calls the functions among the arguments.
func (f *frame) callbacks(instr ssa.Instruction, c *ssa.CallCommon, args []val, all val) {
	for i, a := range args {
		if !isFunc(c.Args[i].Type()) {
			continue
		}
		if len(a.refs) == 0 && f.h.strict {
			f.h.give(instr.Pos(), "it hands over a function value that nobody knows")
		}
		for _, r := range a.refs {
			if r.obj.kind != closure {
				f.h.give(instr.Pos(), "it hands over a function value that is kept somewhere")
				return
			}
			if r.obj.fn.Blocks == nil {
				if _, ok := f.standard(instr, fullName(r.obj.fn), c, nil); !ok {
					f.h.give(instr.Pos(), "it hands over %s, whose source was not read", fullName(r.obj.fn))
				}
				continue
			}
			in := make([]val, r.obj.fn.Signature.Params().Len())
			for j := range in {
				in[j] = all
			}
			f.h.call(r.obj.fn, in, r.obj.capture, f.conditions(instr.Block()), instr.Pos())
		}
	}
}
