package cases

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

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
		c.Name = shortened(text, text)
		if seen[c.Name] {
			c.Name = shortened(text, fmt.Sprint(text, c.Queued, c.Priorities, c.Steps, c.Path.Decisions))
		}
		for n, name := 2, c.Name; seen[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s#%d", name, n)
		}
		seen[c.Name] = true
	}
}

// shortened makes a name of a text, as tests have them: without spaces, and a number in the place of what is too long. The number is that of the whole.
func shortened(text, whole string) string {
	name := strings.NewReplacer(" ", "", "/", "÷", "\t", "", "\n", "", "\"", "'").Replace(text)
	if name == "" {
		name = "always"
	}
	if runes := []rune(name); len(runes) > nameLength {
		name = string(runes[:nameLength-10])
	} else if whole == text {
		return name
	}
	h := fnv.New32a()
	h.Write([]byte(whole))
	return fmt.Sprintf("%s~%08x", name, h.Sum32())
}

// Text writes a term of a case as Go source, with the names of types in the place of their numbers.
func (p *Program) Text(c *Case, t *term.Term) string {
	is := t
	if is.Op == term.OpNot {
		is = is.Args[0]
	}
	if _, _, ok := p.Exec().TypeCondition(is); ok {
		return p.Exec().Readable(t)
	}
	return term.Printer{Unsigned: func(name string) bool {
		i := slices.IndexFunc(c.Inputs, func(in exec.Input) bool { return in.Var.Name == name })
		return i >= 0 && c.Inputs[i].Aspect == "" && isUnsigned(c.Inputs[i])
	}}.Print(t)
}
