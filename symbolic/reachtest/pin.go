package reachtest

import (
	"errors"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"
)

// This file has tests assert what their actors hold in the end. The values are those of the real program, in the execution that follows the order.
//
//	what is asserted: numbers, truth values and texts in the structs that actors of the driver are, and the lengths of their slices and maps
//	what is not:      actors that handlers create, what is behind pointers, and fields that the package of the test cannot name

// portion is a part of what an actor holds that a test can name.
type portion struct {
	actor string // by its name in traces
	of    string // the type of the actor, as the test writes it: *till
	field string // as in sum, or len(items) where length is set
	len   bool
}

// expr writes the part of an actor in a variable.
func (p portion) expr(v string) string {
	if p.len {
		return "len(" + v + "." + p.field + ")"
	}
	return v + "." + p.field
}

// name writes the part for people.
func (p portion) name() string {
	if p.len {
		return "len(" + p.field + ")"
	}
	return p.field
}

// pin is a part with the value that it has in the end.
type pin struct {
	portion
	value string
}

// statesVariable is the variable of the environment that names the file to which states are written.
const statesVariable = "REHEARSE_TEST_STATES"

// most is how many parts of the actors of one test are asserted.
const most = 24

// parts lists what can be asserted of the actors that the order names.
func (w *writer) parts() (list []portion) {
	if slices.ContainsFunc(w.fields, func(f string) bool { return strings.HasPrefix(f, "Final:") }) {
		return nil // the driver's own stays
	}
	for _, a := range w.way.Start.Actors {
		named := func(e string) bool { return e == a.Name }
		ordered := false
		for _, e := range w.way.Order {
			ordered = ordered || named(e.Actor)
		}
		if a.Recv == nil || !ordered || w.foreign(a.Recv) {
			continue
		}
		t, of := a.Recv, ""
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t, of = p.Elem(), "*"
		}
		if s, ok := t.Underlying().(*types.Struct); ok {
			of += types.TypeString(t, w.qualifier)
			w.fieldsOf(s, portion{actor: w.d.called(a.Name), of: of}, &list)
		}
	}
	return list[:min(len(list), most)]
}

// foreign reports whether the package of the test cannot name a type.
func (w *writer) foreign(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return !ok || n.TypeArgs().Len() > 0 || n.Obj().Pkg() == nil || n.Obj().Parent() != n.Obj().Pkg().Scope() || !n.Obj().Exported() && n.Obj().Pkg().Path() != w.d.pkg.Types.Path() ||
		strings.Contains("/"+n.Obj().Pkg().Path()+"/", "/internal/") && n.Obj().Pkg().Path() != w.d.pkg.Types.Path()
}

func (w *writer) qualifier(p *types.Package) string {
	if p.Path() == w.d.pkg.Types.Path() {
		return ""
	}
	return w.names.Imported(p.Path(), p.Name())
}

// fieldsOf adds the parts of a struct.
func (w *writer) fieldsOf(s *types.Struct, at portion, list *[]portion) {
	for f := range s.Fields() {
		if f.Name() == "_" || !f.Exported() && f.Pkg().Path() != w.d.pkg.Types.Path() || strings.Count(at.field, ".") > 2 {
			continue
		}
		p := at
		p.field = strings.TrimPrefix(at.field+"."+f.Name(), ".")
		switch t := f.Type().Underlying().(type) {
		case *types.Basic:
			if t.Info()&(types.IsInteger|types.IsBoolean|types.IsString) != 0 && t.Kind() != types.Uintptr {
				*list = append(*list, p)
			}
		case *types.Slice, *types.Map:
			p.len = true
			*list = append(*list, p)
		case *types.Struct:
			w.fieldsOf(t, p, list)
		}
	}
}

// recording is a function for the end of an execution that writes down what the actors hold, "" if there is nothing.
func (w *writer) recording(test string) string {
	list := w.parts()
	if len(list) == 0 {
		return ""
	}
	fm, o := w.names.Imported("fmt", "fmt"), w.names.Imported("os", "os")
	return w.final(list, func(p portion) string {
		return fmt.Sprintf("if f, err := %s.OpenFile(%s.Getenv(%q), %[1]s.O_APPEND|%[1]s.O_CREATE|%[1]s.O_WRONLY, 0o666); name == %[4]q && err == nil {\n"+
			"%[5]s.Fprintf(f, \"%%s\\t%%s\\t%%s\\t%%#v\\n\", %[6]q, name, %[7]q, %[8]s)\nf.Close()\n}\n", o, o, statesVariable, p.actor, fm, test, p.name(), p.expr("a"))
	})
}

// asserted is a function for the end of an execution that compares what the actors hold, "" if there is nothing.
func (w *writer) asserted() string {
	var list []portion
	values := map[portion]string{}
	for _, p := range w.pins {
		list = append(list, p.portion)
		values[p.portion] = p.value
	}
	if len(list) == 0 {
		return ""
	}
	fm := w.names.Imported("fmt", "fmt")
	return w.final(list, func(p portion) string {
		x, value := p.expr("a"), values[p]
		cond, format := x+" != "+value, "%v"
		switch {
		case value == "true":
			cond = "!" + x
		case value == "false":
			cond = x
		case strings.HasPrefix(value, `"`), strings.HasPrefix(value, "`"):
			format = "%q"
		}
		text := fmt.Sprintf("%s: %s is %s in the end, want %s", p.actor, p.name(), format, strings.ReplaceAll(value, "%", "%%"))
		return fmt.Sprintf("if name == %q && %s {\nerr = %s.Errorf(%q, %s)\n}\n", p.actor, cond, fm, text, x)
	})
}

// final writes the function, with a statement for each part.
func (w *writer) final(list []portion, statement func(portion) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Final: func(s %s.State) (err error) {\ns.Actors(func(name, _ string, value any) bool {\nswitch a := value.(type) {\n", w.names.Imported(ours, "rehearse"))
	var done []string
	for _, p := range list {
		if slices.Contains(done, p.of) {
			continue
		}
		done = append(done, p.of)
		fmt.Fprintf(&b, "case %s:\n", p.of)
		for _, q := range list {
			if q.of == p.of {
				b.WriteString(statement(q))
			}
		}
	}
	b.WriteString("}\nreturn true\n})\nreturn err\n}")
	return b.String()
}

// pinned reads what executions have written down. What differs between executions of one test is left out.
func pinned(path string, tests []*Test) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	values := map[string]string{}
	for line := range strings.Lines(string(data)) {
		key, value, _ := cutLast(strings.TrimSuffix(line, "\n"), "\t")
		if old, ok := values[key]; ok && old != value {
			value = ""
		}
		values[key] = value
	}
	for _, t := range tests {
		t.w.pins = nil
		for _, p := range t.w.parts() {
			if v := values[t.Func+"\t"+p.actor+"\t"+p.name()]; v != "" && len(v) <= longestText {
				t.w.pins = append(t.w.pins, pin{p, v})
			}
		}
	}
	return nil
}

// pins has tests that end without a finding assert what their actors hold. Those that fail then, or do not execute their target any more, go without.
func pins(outcomes []*Outcome, jobs []Job, path string, attempt func([]Job) ([]*Outcome, error)) error {
	var again []Job
	var tests []*Test
	var at []int
	for i, j := range jobs {
		if o := outcomes[i]; j.Test.Wanted.Pin && o.Covered && o.Finding == nil {
			again, tests, at = append(again, j), append(tests, j.Test), append(at, i)
		}
	}
	if err := pinned(path, tests); err != nil || len(again) == 0 {
		return err
	}
	checked, err := attempt(again)
	for k, o := range checked {
		if o.Covered && o.Finding == nil {
			outcomes[at[k]] = o
		} else {
			tests[k].w.pins = nil
		}
	}
	return err
}
