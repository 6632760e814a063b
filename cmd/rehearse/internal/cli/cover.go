package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/profile"
)

var coverCommand = Command{
	Name: "cover", Args: "[flags] FILE...   |   cover -diff [flags] OLD NEW",
	Short: "say which messages were seen in which order, from coverage profiles",
	Long: `Cover merges coverage profiles, which tests write (rehearse test -coverprofile FILE, Config.CoverProfile), and prints for the actors
of each type every pair of messages that they received:

  both        seen in both orders
  one way     seen in one order only; the other one looks possible
  impossible  seen in one order only, and every two messages that were looked at must come so: one causes the other, or the
              delivery model keeps their order
  never       both were received, but never by one actor in one execution

The percentage is that of pairs seen in both orders, among all but the impossible ones. A FILE may be a folder: all profiles in it
count. Types that the module does not declare any more are listed as stale and count for nothing.
`,
	Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
		c := &coverRun{least: -1}
		fs.StringVar(&c.out, "o", "", "write the merged profile to this `file`")
		fs.BoolVar(&c.diff, "diff", false, "print what changed from the profile OLD to the profile NEW")
		fs.Func("min", "exit code 1 if fewer than this `percentage` of the pairs (with -diff: of those of NEW) was seen in "+
			"both orders", c.setLeast)
		fs.BoolVar(&c.json, "json", false, "print JSON")
		fs.StringVar(&c.module, "module", "",
			"look for the types in the module or workspace of this `folder` (default: the current one)")
		return c.run
	},
}

// coverRun is one `rehearse cover`.
type coverRun struct {
	out    string
	diff   bool
	least  float64 // percent; negative: none
	json   bool
	module string
}

func (c *coverRun) setLeast(s string) error {
	p, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !(p >= 0 && p <= 100) {
		return errors.New("want a percentage from 0 to 100")
	}
	c.least = p
	return nil
}

func (c *coverRun) run(s Streams, a Arguments) int {
	switch n := len(a.Operands); {
	case len(a.Rest) > 0:
		return Usage(s, "cover", fmt.Errorf("unexpected %q behind --: it takes nothing there", a.Rest))
	case c.diff && n != 2:
		return Usage(s, "cover", fmt.Errorf("got %d profiles: -diff wants two, OLD and NEW", n))
	case n == 0:
		return Usage(s, "cover", errors.New("no profile given: `rehearse test -coverprofile FILE ./...` writes one"))
	case c.diff && c.out != "":
		return Usage(s, "cover", errors.New("-diff merges nothing: leave -o away"))
	}
	code, err := c.do(s, a.Operands)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse cover:", err)
		return ExitError
	}
	return code
}

func (c *coverRun) do(s Streams, paths []string) (int, error) {
	if err := command.PlaceFor(c.out); err != nil {
		return ExitError, err
	}
	var ps []*profile.Profile
	all := profile.New()
	for _, path := range paths {
		p, err := readProfile(path)
		if err != nil {
			return ExitError, err
		}
		ps = append(ps, p)
		all.Merge(p)
	}
	if c.out != "" {
		if err := all.WriteFile(c.out); err != nil {
			return ExitError, err
		}
	}
	gone, err := c.stale(all)
	if err != nil {
		return ExitError, err
	}
	fresh := func(p *profile.Profile) coverage {
		return coverage{actors: p.Without(gone.actors, gone.messages).Classify()}
	}
	shown := fresh(all)
	if c.diff {
		shown = fresh(ps[1])
		err = c.showDiff(s.Out, fresh(ps[0]), shown, gone)
	} else {
		err = c.show(s.Out, shown, gone)
	}
	if err != nil {
		return ExitError, err
	}
	return c.judge(s, shown), nil
}

// judge compares with the threshold.
func (c *coverRun) judge(s Streams, shown coverage) int {
	total := shown.total()
	if percent, ok := total.Percent(); c.least >= 0 && ok && percent < c.least {
		fmt.Fprintf(s.Err, "rehearse cover: %s of the pairs were seen in both orders, fewer than -min %v%%\n",
			share(&total), c.least)
		return ExitFound
	}
	return ExitOK
}

// readProfile reads a profile, or all that lie in a folder.
func readProfile(path string) (*profile.Profile, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no file %s: `rehearse test -coverprofile %s ./...` writes it, if a test calls Check or "+
			"Explore", path, path)
	} else if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return profile.ReadFile(path)
	}
	all, found := profile.New(), false
	err = filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), ".") && file != path:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		is, err := isProfile(file)
		if !is || err != nil {
			return err
		}
		p, err := profile.ReadFile(file)
		if err == nil {
			all.Merge(p)
			found = true
		}
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("there is no coverage profile in the folder %s", path)
	}
	return all, err
}

// isProfile reports whether a file begins as a profile of any version does.
func isProfile(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	begin := make([]byte, len(profile.Header)+1)
	n, _ := f.Read(begin)
	return bytes.Equal(begin[:n], []byte(profile.Header+" ")), nil
}
