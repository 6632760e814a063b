package source

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/target"
)

// tapKept are results in a file, so that a run that was ended goes on where it was.
type tapKept struct {
	into, after string // files: of this run, and of one before whose open targets alone are wanted
	file        *os.File
	results     map[tapKey]*tapResult
	pending     map[tapKey]bool // nil: all
}

// tapKey says whose result one is.
type tapKey struct {
	Setting string
	Seed    uint64
	Package string
	Target  string
	Panic   string
	Nth     int
}

func keyOf(r *tapResult) tapKey {
	return tapKey{r.Setting, r.Seed, r.Package, r.Target, r.Panic, r.Nth}
}

// number tells targets of one name apart: a place may have several that panic.
func (p *tapProject) number() {
	seen := map[string]int{}
	p.nth = map[*target.Listed]int{}
	for _, t := range p.targets {
		key := nameOf(t) + " " + t.Kind
		p.nth[t] = seen[key]
		seen[key]++
	}
}

// tapHead is the first line of a file: results of runs with another one are not comparable.
type tapHead struct {
	Sample  int    `json:"sample"`
	Seed    uint64 `json:"seed"`
	Steps   int    `json:"steps"`
	Model   string `json:"model"`
	Drivers string `json:"drivers"`
	After   string `json:"after,omitempty"`
}

func (k *tapKept) add(fs *flag.FlagSet) {
	fs.StringVar(&k.into, "keep", "", "tap: results are added to this `file`; "+
		"those that are in it are not searched for again")
	fs.StringVar(&k.after, "after", "", "tap: take only targets that ours has left open in this `file` of -keep")
}

// open reads what was found before.
func (k *tapKept) open(r *tapRun) error {
	k.results = map[tapKey]*tapResult{}
	if k.after != "" {
		if err := k.openTargets(); err != nil {
			return fmt.Errorf("-after: %w", err)
		}
	}
	if k.into == "" {
		return nil
	}
	want := tapHead{r.sample, r.seed, r.steps, r.model, r.drivers, k.after}
	head, list, size, err := readKept(k.into)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return fmt.Errorf("-keep: %w", err)
	case head != nil && *head != want:
		return fmt.Errorf("-keep %s: its results are of another experiment: %+v, want %+v: name another file",
			k.into, *head, want)
	}
	for _, x := range list {
		k.results[keyOf(x)] = x
	}
	if k.file, err = os.OpenFile(k.into, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return err
	}
	if err := k.file.Truncate(size); err != nil || head != nil {
		return err
	}
	return json.NewEncoder(k.file).Encode(want)
}

// readKept reads a file, and gives the size of its whole lines: the last one of a run that was ended may be cut.
func readKept(name string) (head *tapHead, list []*tapResult, size int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, 0, err
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return head, list, size, nil
		}
		if err != nil {
			return nil, nil, 0, err
		}
		size += int64(len(line))
		x := &tapResult{}
		if n == 1 {
			head = &tapHead{}
			err = json.Unmarshal(line, head)
		} else if err = json.Unmarshal(line, x); err == nil {
			list = append(list, x)
		}
		if err != nil {
			return nil, nil, 0, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
}

// openTargets reads which targets ours has left open.
func (k *tapKept) openTargets() error {
	_, list, _, err := readKept(k.after)
	k.pending = map[tapKey]bool{}
	for _, x := range list {
		if x.Setting == ours && x.Verdict != verdictCovered && x.Verdict != verdictInfeasible {
			k.pending[keyOf(x)] = true
		}
	}
	if err == nil && len(k.pending) == 0 {
		err = fmt.Errorf("%s: it leaves no target open", k.after)
	}
	return err
}

// left has a project keep the targets that are wanted.
func (k *tapKept) left(p *tapProject) {
	if k.pending == nil {
		return
	}
	p.targets = slices.DeleteFunc(p.targets, func(t *target.Listed) bool {
		x := &tapResult{Setting: ours, Package: packageOf(t), Target: nameOf(t), Panic: t.Kind, Nth: p.nth[t]}
		return !k.pending[keyOf(x)]
	})
}

// of is the result of a run before, nil if there is none.
func (k *tapKept) of(x *tapResult) *tapResult { return k.results[keyOf(x)] }

// write adds a result to the file.
func (k *tapKept) write(x *tapResult) error {
	if k.file == nil {
		return nil
	}
	return writeTAP(k.file, x, false)
}

func (k *tapKept) close() {
	if k.file != nil {
		k.file.Close() // each line was written at once
	}
}

// nameOf is how results name a target.
func nameOf(t *target.Listed) string {
	if t.Panic {
		return t.Name
	}
	return blockName(t)
}

// packageOf is the path of a target's package.
func packageOf(t *target.Listed) string {
	fn := t.Block.Parent()
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Pkg == nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn.Pkg == nil {
		return ""
	}
	return strings.TrimSuffix(fn.Pkg.Pkg.Path(), "_test")
}

// seedsOf are the seeds with which a setting searches: ours has no chances that a seed decides.
func (r *tapRun) seedsOf(setting string) []uint64 {
	if setting == ours {
		return []uint64{0}
	}
	return r.seeds
}
