package effects

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file says what functions of the standard library do: nothing but read what they are given, or write their first argument too. What
// they give may hold what they were given. Functions that they are given are called, with parts of what else they are given.

// reading are packages whose functions (not methods) only read. Those of writing write what their first argument leads to.
var (
	reading = []string{"strings", "strconv", "math", "math/bits", "math/cmplx", "unicode", "unicode/utf8", "errors", "cmp", "bytes", "slices", "maps", "sort"}
	writing = []string{
		"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Reverse", "slices.Insert", "slices.Delete", "slices.DeleteFunc",
		"slices.Replace", "slices.Compact", "slices.CompactFunc", "slices.Grow", "slices.AppendSeq", "maps.Copy", "maps.DeleteFunc", "maps.Insert",
		"sort.Ints", "sort.Strings", "sort.Float64s", "sort.Slice", "sort.SliceStable", "unicode/utf8.EncodeRune", "unicode/utf8.AppendRune",
		"fmt.Append", "fmt.Appendf", "fmt.Appendln",
		"strconv.AppendInt", "strconv.AppendUint", "strconv.AppendBool", "strconv.AppendFloat", "strconv.AppendQuote", "strconv.AppendQuoteRune",
		"strconv.AppendQuoteRuneToASCII", "strconv.AppendQuoteRuneToGraphic", "strconv.AppendQuoteToASCII", "strconv.AppendQuoteToGraphic"}
	// By interface, or with a memory of their own.
	strange = []string{"sort.Sort", "sort.Stable", "sort.Reverse", "sort.IsSorted", "sort.Find", "sort.Search", "errors.As", "errors.AsType",
		"bytes.NewBuffer", "bytes.NewBufferString", "bytes.NewReader", "strings.NewReader", "strings.NewReplacer", "maps.All", "maps.Collect",
		"slices.All", "slices.Values", "slices.Backward", "slices.Chunk"}
	printing = []string{"fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln", "fmt.Errorf", "fmt.Print", "fmt.Printf", "fmt.Println", "log.Print", "log.Printf", "log.Println"}
	timely   = []string{"time.Unix", "time.UnixMilli", "time.Date", "time.ParseDuration"}
	// methods that only read, and types whose methods write what they are of, but for those of looking.
	values  = []string{"(time.Duration).", "(time.Time).", "(*log/slog.Logger)."}
	writers = []string{"(*strings.Builder).", "(*bytes.Buffer).", "(*math/rand.Rand).", "(*math/rand/v2.Rand)."}
	looking = []string{"String", "Len", "Cap"}
	// of writers: what deals with other readers and writers
	foreign = []string{"ReadFrom", "WriteTo"}
)

// standard evaluates a call of the standard library, if it is known.
func (f *frame) standard(instr ssa.Instruction, name string, c *ssa.CallCommon, args []val) ([]val, bool) {
	if strings.HasPrefix(name, "(") {
		return f.ofType(instr, name, c, args)
	}
	switch {
	case slices.Contains(strange, name):
		return nil, false
	case slices.Contains(writing, name):
		f.h.scribbled(instr.Pos(), args[0], map[*object]bool{})
	case slices.Contains(printing, name), slices.Contains(timely, name):
	case !slices.ContainsFunc(reading, func(p string) bool { return ofPackage(name, p) }):
		return nil, false
	}
	return f.mixed(instr, c, args), true
}

// ofType evaluates a call of a method.
func (f *frame) ofType(instr ssa.Instruction, name string, c *ssa.CallCommon, args []val) ([]val, bool) {
	of := func(t string) bool { return strings.HasPrefix(name, t) }
	method := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case slices.ContainsFunc(values, of):
	case !slices.ContainsFunc(writers, of), slices.Contains(foreign, method):
		return nil, false
	case !slices.Contains(looking, method):
		f.h.scribbled(instr.Pos(), args[0], map[*object]bool{})
	}
	return f.mixed(instr, c, args), true
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
				if name := fullName(r.obj.fn); !slices.ContainsFunc(reading, func(p string) bool { return ofPackage(name, p) }) || slices.Contains(writing, name) ||
					slices.Contains(strange, name) || strings.HasPrefix(name, "(") {
					f.h.give(instr.Pos(), "it hands over %s, whose source was not read", name)
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
