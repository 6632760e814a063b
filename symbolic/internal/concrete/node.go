package concrete

import (
	"fmt"
	"go/types"
	"sort"
	"strconv"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Node is a part of a concrete input, as it is written for programs that read it.
type Node struct {
	V    string  `json:",omitempty"` // of a number, truth value or string; the type that an interface holds
	E    []*Node `json:",omitempty"` // fields, elements, what a pointer leads to, what an interface holds
	Keys []*Node `json:",omitempty"`
	ID   int     `json:",omitempty"` // of a pointer or a reference to an actor; 0 is nil
	Nil  bool    `json:",omitempty"` // a slice or map

	Type types.Type `json:"-"` // of what an interface holds; nil: see V
}

// Key gives the text of a key of a map. That of an interface has the type, and is a number or a string.
func (n *Node) Key() string {
	switch {
	case len(n.E) == 0:
		return n.V
	case n.V == "string":
		return fmt.Sprintf("(string)%q", n.E[0].V)
	}
	return "(" + n.V + ")" + n.E[0].V
}

// Has finds a key of a map, -1 if it has none of that text.
func (n *Node) Has(key string) int {
	for i, k := range n.Keys {
		if k.Key() == key {
			return i
		}
	}
	return -1
}

// Input is a concrete input as a path sees it.
type Input struct {
	Path   *exec.Path
	Broken bool // a term could not be evaluated

	program *exec.Program
	roots   map[string]*Node
	model   *term.Model
	nodes   map[int]*Node // what pointers lead to
	self    string        // the root that is the actor, "" for none
}

// New gives the variables of a path their values in an input, whose roots have the names that places have.
func New(program *exec.Program, path *exec.Path, roots map[string]*Node) *Input {
	c := &Input{Path: path, program: program, roots: roots, nodes: map[int]*Node{},
		model: &term.Model{Vars: map[*term.Term]term.Value{}, Funcs: map[string][]term.Entry{}}}
	for _, root := range roots {
		c.find(root)
	}
	for _, in := range path.Inputs {
		c.model.Vars[in.Var] = c.value(in)
	}
	return c
}

// Fails gives the number of the first condition that the input does not satisfy, the number of conditions if there is
// none.
func (c *Input) Fails() int {
	for i, cond := range c.Path.PC {
		if !c.Eval(cond.Term).Bool() {
			return i
		}
	}
	return len(c.Path.PC)
}

// find notes what pointers lead to.
func (c *Input) find(n *Node) {
	if n.ID != 0 && len(n.E) > 0 { // else it leads to what another one does
		c.nodes[n.ID] = n.E[0]
	}
	for _, e := range n.E {
		c.find(e)
	}
}

// Set gives a variable a value that is none of the input, such as the reference of an actor that is created.
func (c *Input) Set(v *term.Term, value uint64) { c.model.Vars[v] = term.WordValue(v.Sort, value) }

// Holds reports whether the input satisfies the conditions of the path.
func (c *Input) Holds() bool { return c.Fails() == len(c.Path.PC) }

// at gives the node of a place, nil if the input has none.
func (c *Input) at(p *exec.Place) *Node {
	if p.Up == nil {
		return c.roots[p.Name]
	}
	up := c.at(p.Up)
	if up == nil {
		return nil
	}
	switch p.Step {
	case exec.Field, exec.Elem:
		if p.Index < len(up.E) {
			return up.E[p.Index]
		}
	case exec.Deref:
		if up.ID != 0 {
			return c.nodes[up.ID]
		}
	case exec.Held:
		if up.Type != nil && types.Identical(up.Type, p.Type) {
			return up.E[0]
		}
	case exec.Under:
		if i := up.Has(c.key(p)); i >= 0 {
			return up.E[i]
		}
	case exec.Captured: // by a method of the actor as a value
		return c.roots[c.self]
	case exec.FreshKey, exec.FreshElem:
		if rest := c.others(p.Up, up); p.Index < len(rest) {
			i := up.Has(rest[p.Index])
			if p.Step == exec.FreshKey {
				return up.Keys[i]
			}
			return up.E[i]
		}
	}
	return nil
}

// key gives the key of an entry, as nodes have it.
func (c *Input) key(p *exec.Place) string {
	return c.keyText(p.Key, p.Up.Type.Underlying().(*types.Map).Key())
}

// keyText gives the text of a key of a type.
func (c *Input) keyText(key exec.Value, t types.Type) string {
	if _, ok := t.Underlying().(*types.Interface); ok {
		d := NewDumper(c)
		d.Dump(key, t)
		return d.String()
	}
	return c.text(key.(*term.Term), t)
}

// others lists the keys of a map that the path does not look for, in their order.
func (c *Input) others(m *exec.Place, n *Node) (rest []string) {
	asked := map[string]bool{}
	for _, in := range c.Path.Inputs {
		if in.At.Up != nil && in.At.Step == exec.Under && in.At.Up.Name == m.Name {
			asked[c.key(in.At)] = true
		}
	}
	for _, k := range n.Keys {
		if !asked[k.Key()] {
			rest = append(rest, k.Key())
		}
	}
	sort.Strings(rest)
	return rest
}

// value gives what a variable of the path is.
func (c *Input) value(in exec.Input) term.Value {
	n := c.at(in.At)
	zero := term.Value{Sort: in.Var.Sort}
	if n == nil {
		return zero
	}
	word := func(x int) term.Value { return term.WordValue(in.Var.Sort, uint64(x)) }
	switch in.Aspect {
	case "!len":
		return word(len(n.E))
	case "!isNil":
		return term.BoolValue(n.Nil)
	case "!ref":
		if isFunction(in.At.Type) {
			return word(c.functionNumber(n))
		}
		return word(n.ID)
	case "!has":
		return term.BoolValue(true)
	case "!size":
		return word(len(n.Keys))
	case "!more":
		return word(len(c.others(in.At, n)))
	case "!type":
		return term.WordValue(in.Var.Sort, c.typeNumber(n))
	}
	typ, _ := term.TypeOf(in.At.Type)
	switch typ.Kind {
	case term.BoolKind:
		return term.BoolValue(n.V == "true")
	case term.StringKind:
		return term.TextValue(n.V)
	case term.FloatKind:
		x, _ := strconv.ParseFloat(n.V, 64)
		return term.FloatValue(typ.Sort, x)
	}
	if typ.Unsigned {
		x, _ := strconv.ParseUint(n.V, 10, 64)
		return term.WordValue(typ.Sort, x)
	}
	x, _ := strconv.ParseInt(n.V, 10, 64)
	return term.WordValue(typ.Sort, uint64(x))
}

// typeNumber numbers the type that an interface holds, as conditions do.
func (c *Input) typeNumber(n *Node) uint64 {
	switch {
	case n.V == "":
		return 0
	case n.Type == nil:
		return 1<<15 - 1 // one that no condition has
	}
	return c.program.TypeNumber(n.Type)
}

// text gives a term's value as the harness writes it.
func (c *Input) text(t *term.Term, typ types.Type) string {
	v := c.Eval(t)
	if isReference(typ) {
		return strconv.FormatUint(v.Uint(), 10)
	}
	of, ok := term.TypeOf(typ)
	switch {
	case !ok:
		panic(fmt.Sprintf("no text of %s", typ))
	case of.Kind == term.StringKind:
		return v.Text
	case of.Kind == term.FloatKind:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case of.Kind == term.BoolKind:
		return strconv.FormatBool(v.Bool())
	case of.Unsigned:
		return strconv.FormatUint(v.Uint(), 10)
	}
	return strconv.FormatInt(v.Int(), 10)
}

// Eval evaluates a term, with the functions of strings that the solver does not know.
func (c *Input) Eval(t *term.Term) term.Value {
	term.Walk(func(a *term.Term) {
		if a.Op == term.OpApply {
			c.apply(a)
		}
	}, t)
	return c.model.Eval(t)
}

func (c *Input) apply(a *term.Term) {
	var args []term.Value
	for _, x := range a.Args {
		args = append(args, c.model.Eval(x))
	}
	result, ok := exec.Apply(a, args)
	if !ok {
		c.Broken = true
		return
	}
	rows := c.model.Funcs[a.Signature()]
	for _, row := range rows {
		same := true
		for i := range args {
			same = same && row.Args[i] == args[i]
		}
		if same {
			return
		}
	}
	c.model.Funcs[a.Signature()] = append(rows, term.Entry{Args: args, Result: result})
}
