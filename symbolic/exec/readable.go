package exec

import (
	"fmt"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Readable writes a condition, with the names of types in the place of their numbers.
func (p *Program) Readable(c *term.Term) string {
	is, holds, null := c, "holds", "=="
	if is.Op == term.OpNot {
		is, holds, null = is.Args[0], "does not hold", "!="
	}
	switch in, t, ok := p.TypeCondition(is); {
	case !ok:
		return c.String()
	case t == nil:
		return fmt.Sprintf("%s %s nil", in, null)
	default:
		return fmt.Sprintf("%s %s %s", in, holds, model.MessageName(t))
	}
}
