package command

import (
	"flag"
	"strings"
)

// Described is a command with its flags, for completion.
type Described struct {
	Name, Short string
	Flags       []DescribedFlag
}

// DescribedFlag is one flag. One that is no switch takes a value.
type DescribedFlag struct {
	Name, Doc string
	Switch    bool
}

// DescribeAll is what a companion is asked: it then writes Describe of its commands as JSON.
const DescribeAll = "-describe"

// Describe gives commands with the flags that they declare. One that another program does has none here.
func Describe(commands []Command) (all []Described) {
	for _, c := range commands {
		d := Described{Name: c.Name, Short: c.Short}
		if c.Setup != nil {
			fs := c.flags()
			c.Setup(fs)
			fs.VisitAll(func(f *flag.Flag) {
				_, doc := flag.UnquoteUsage(f)
				doc, _, _ = strings.Cut(doc, "\n")
				b, ok := f.Value.(interface{ IsBoolFlag() bool })
				d.Flags = append(d.Flags, DescribedFlag{f.Name, doc, ok && b.IsBoolFlag()})
			})
		}
		all = append(all, d)
	}
	return all
}
