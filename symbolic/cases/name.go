package cases

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// nameLength is how long the readable part of a name is.
const nameLength = 60

// nameCases names cases by their conditions, and those with the same conditions by their schedules, too.
func (p *Program) nameCases(list []*Case) {
	seen := map[string]bool{}
	for _, c := range list {
		var conds []string
		for _, t := range c.Constraints {
			conds = append(conds, p.Text(c, t))
		}
		slices.Sort(conds)
		text := strings.Join(conds, ", ")
		c.Name = shortened(conds, text)
		if seen[c.Name] {
			c.Name = shortened(conds, fmt.Sprint(text, c.Queued, c.Priorities, c.Steps, c.Path.Decisions))
		}
		for n, name := 2, c.Name; seen[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s#%d", name, n)
		}
		seen[c.Name] = true
	}
}

// shortened makes a name of conditions, as tests have them, without spaces. A number is in the place of what is too
// long: conditions that no longer fit, or a part of the first one. The number is that of the whole.
func shortened(conds []string, whole string) string {
	plain := strings.NewReplacer(" ", "", "/", "÷", "\t", "", "\n", "", "\"", "'")
	name := "always"
	if len(conds) > 0 {
		name = plain.Replace(strings.Join(conds, ","))
	}
	if utf8.RuneCountInString(name) > nameLength {
		name = plain.Replace(conds[0])
		for _, c := range conds[1:] {
			if c = "," + plain.Replace(c); utf8.RuneCountInString(name+c) <= nameLength-10 {
				name += c
			}
		}
		if runes := []rune(name); len(runes) > nameLength-10 {
			name = string(runes[:nameLength-10])
		}
	} else if whole == strings.Join(conds, ", ") {
		return name
	}
	h := fnv.New32a()
	h.Write([]byte(whole))
	return fmt.Sprintf("%s~%08x", name, h.Sum32())
}

// typeOf names the type of a number, "" for one that is none of the program's.
func (p *Program) typeOf(number uint64) string {
	if t := p.Exec().Type(number); t != nil && !p.Exec().IsOther(t) {
		return model.MessageName(t)
	}
	return ""
}

// identity names what a reference leads to that is no input: a function, or an object that the program makes.
func (p *Program) identity(number uint64) string {
	if n, ok := exec.Made(number); ok {
		return fmt.Sprintf("new%d", n)
	}
	fn := p.Exec().Function(number)
	if fn == nil {
		return ""
	}
	top := fn
	for top.Parent() != nil {
		top = top.Parent()
	}
	if top.Pkg == nil { // the compiler made it
		return strings.TrimSuffix(fn.Name(), "$bound")
	}
	return insideName(fn)
}

// Text writes a term of a case as Go source, with the names of types in the place of their numbers.
func (p *Program) Text(c *Case, t *term.Term) string {
	return term.Printer{People: p.typeOf, Identity: p.identity, Unsigned: func(name string) bool {
		i := slices.IndexFunc(c.Inputs, func(in exec.Input) bool { return in.Var.Name == name })
		return i >= 0 && c.Inputs[i].Aspect == "" && c.Inputs[i].Unsigned()
	}}.Print(t)
}
