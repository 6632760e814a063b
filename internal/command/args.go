package command

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/settings"
)

// Arguments is a command line without its flags.
type Arguments struct {
	Operands []string // packages, files
	Rest     []string // what follows "--"
}

// parse reads flags and operands in any order, as `go test` does; "--" ends both.
func parse(fs *flag.FlagSet, args []string) (Arguments, error) {
	var a Arguments
	if i := slices.Index(args, "--"); i >= 0 {
		args, a.Rest = args[:i], args[i+1:]
	}
	for {
		if err := fs.Parse(args); err != nil {
			return a, clearer(fs, err)
		}
		if fs.NArg() == 0 {
			return a, nil
		}
		a.Operands = append(a.Operands, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// PlaceFor says that there is no folder for the file that -o names, before anything is done that takes time; "" names
// none.
func PlaceFor(path string) error {
	if path == "" {
		return nil
	}
	if err := files.InFolder(path); err != nil {
		return fmt.Errorf("-o %w", err)
	}
	return nil
}

// clearer adds to the flag package's messages what to do.
func clearer(fs *flag.FlagSet, err error) error {
	command := fs.Name()
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: ")
	tool := map[string]string{"test": "go test", "replay": "go test", "vet": "go vet"}[command]
	switch {
	case !ok:
		return err
	case closest(fs, name) != "":
		return fmt.Errorf("unknown flag %s: did you mean -%s?", name, closest(fs, name))
	case tool == "":
		return fmt.Errorf("unknown flag %s", name)
	}
	return fmt.Errorf("unknown flag %s: a flag for %s goes after --, as in `-- %s`", name, tool, name)
}

// closest is the flag that is spelled almost like the name, "" if none is.
func closest(fs *flag.FlagSet, name string) string {
	var known []string
	fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	return settings.Closest(strings.TrimLeft(name, "-"), known)
}

// Values collects flags that become something else: an environment variable, or a flag of `go test`.
type Values struct {
	Names []string // in the order in which they were given first
	Value map[string]string
}

// Add declares a flag; check, if not nil, says what is wrong with a value.
func (v *Values) Add(fs *flag.FlagSet, name, doc string, isBool bool, check func(string) error) {
	if v.Value == nil {
		v.Value = map[string]string{}
	}
	set := func(s string) error {
		if check != nil {
			if err := check(s); err != nil {
				return err
			}
		}
		if _, seen := v.Value[name]; !seen {
			v.Names = append(v.Names, name)
		}
		v.Value[name] = s
		return nil
	}
	if isBool {
		fs.BoolFunc(name, doc, func(s string) error {
			if s != "true" && s != "false" {
				return errors.New("want true or false")
			}
			return set(s)
		})
		return
	}
	fs.Func(name, doc, set)
}

// Flags gives what was set as flags of another command.
func (v *Values) Flags() []string {
	var out []string
	for _, n := range v.Names {
		out = append(out, "-"+n+"="+v.Value[n])
	}
	return out
}
