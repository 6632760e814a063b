package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// This file takes the facts that the test reads. A test uses facts only if the sources that they are about are still
// the same, which it finds out by reading them. So these travel too.

const factsVariable = "REHEARSE_FACTS"

// addFacts takes the file of facts and its sources. Where these do not lie in the module, facts are off on all
// machines: a test that goes by facts here and not there would explore something else.
func (c *collector) addFacts() error {
	how := ""
	for _, v := range c.env {
		if name, value, _ := strings.Cut(v, "="); name == factsVariable {
			how = value
		}
	}
	file, asked := how, true
	switch how {
	case "off":
		return nil
	case "", "on":
		file, asked = filepath.FromSlash(facts.Place), false
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.Dir, file)
	} else if asked {
		return fmt.Errorf("facts %s: name the file relative to the package's folder, since other machines have other folders",
			file)
	}
	f, err := facts.Load(file)
	if err != nil || f.Stale(file) != "" {
		return nil // the test says so, if it matters
	}
	list, outside := c.sources(f, filepath.Dir(file))
	if outside != "" {
		c.env = slices.DeleteFunc(c.env, func(v string) bool { return strings.HasPrefix(v, factsVariable+"=") })
		c.env = append(c.env, factsVariable+"=off")
		c.notes = append(c.notes, "facts are not used: package "+outside+", which they are about, is outside of the module")
		return nil
	}
	for _, local := range append(list, file) {
		place, err := c.place(local)
		if err != nil {
			return fmt.Errorf("facts: %w: put the file into the package's folder", err)
		}
		if err := c.add(local, place, ""); err != nil {
			return err
		}
	}
	return nil
}

// sources lists the files that facts are about, and names a package that is outside of the module.
func (c *collector) sources(f *facts.File, base string) (list []string, outside string) {
	for i := range f.Sources {
		s := &f.Sources[i]
		dir := filepath.Join(base, filepath.FromSlash(s.Dir))
		if _, err := c.place(dir); err != nil {
			return nil, s.Package
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, s.Package // it was there a moment ago
		}
		for _, e := range entries {
			// as facts.HashSource has it
			if !e.IsDir() && strings.HasSuffix(e.Name(), ".go") && (s.Tests || !strings.HasSuffix(e.Name(), "_test.go")) {
				list = append(list, filepath.Join(dir, e.Name()))
			}
		}
	}
	return list, ""
}
