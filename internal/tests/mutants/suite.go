package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file builds and runs tests.

// suite is the tests of one package, built with all mutants.
type suite struct {
	path, dir, binary string
	tests             []*test
}

// test is one test, with the mutants that make a difference in it.
type test struct {
	suite   *suite
	name    string
	takes   time.Duration // processor time
	matters map[int]bool  // by number of a mutant: it changed the value of its expression, or left something out
	record  map[string]score
}

// build makes the suites of test packages, and runs each test once without a mutant.
func build(p *pkg, tests []string, quick time.Duration, dir string) ([]*suite, error) {
	overlay, err := p.write(filepath.Join(dir, "on"), switchOn)
	if err != nil {
		return nil, err
	}
	noticing, err := p.write(filepath.Join(dir, "notice"), notice)
	if err != nil {
		return nil, err
	}
	var suites []*suite
	for i, pattern := range tests {
		listed, err := goCommand("list", "-f", "{{.ImportPath}} {{.Dir}}", pattern)
		if err != nil {
			return nil, err
		}
		path, where, _ := strings.Cut(strings.TrimSpace(listed), " ")
		s := &suite{path: path, dir: where, binary: filepath.Join(dir, fmt.Sprintf("%d.test", i))}
		if _, err := goCommand("test", "-c", "-vet=off", "-overlay", overlay, "-o", s.binary, pattern); err != nil {
			return nil, err
		}
		measured := s.binary + ".notice"
		if _, err := goCommand("test", "-c", "-vet=off", "-overlay", noticing, "-o", measured, pattern); err != nil {
			return nil, err
		}
		if err := s.measure(measured, quick); err != nil {
			return nil, err
		}
		var all time.Duration
		for _, t := range s.tests {
			all += t.takes
		}
		fmt.Fprintf(os.Stderr, "%s: %d tests reach the package, %v\n", path, len(s.tests), all.Round(time.Millisecond))
		suites = append(suites, s)
	}
	return suites, nil
}

// measure runs each test without a mutant, in a binary that notices which mutants make a difference. Tests that take
// more processor time than quick are left out, unless that is 0.
func (s *suite) measure(binary string, quick time.Duration) error {
	cmd := exec.Command(binary, "-test.list", ".")
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), matters+"="+os.DevNull)
	names, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("tests of %s: %w", s.path, err)
	}
	for name := range strings.FieldsSeq(string(names)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		t := &test{suite: s, name: name, record: map[string]score{}}
		ended, err := t.measure(binary, quick)
		if err != nil {
			return fmt.Errorf("%s of %s fails without a mutant: %w", name, s.path, err)
		}
		if ended && (quick == 0 || t.takes <= quick) && len(t.matters) > 0 {
			s.tests = append(s.tests, t)
		}
	}
	return nil
}

// measure runs the test in a binary that notices. It reports whether it ended before long.
func (t *test) measure(binary string, quick time.Duration) (ended bool, err error) {
	file := binary + ".out"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(20*quick, time.Hour))
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^"+t.name+"$")
	cmd.Dir = t.suite.dir
	cmd.Env = append(os.Environ(), matters+"="+file)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return false, nil
	}
	if err != nil {
		return true, fmt.Errorf("%w\n%s", err, out)
	}
	t.takes = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	text, err := os.ReadFile(file)
	if err != nil {
		return true, err
	}
	t.matters, err = numbers(string(text))
	return true, err
}

// numbers reads numbers of mutants.
func numbers(text string) (map[int]bool, error) {
	all := map[int]bool{}
	for field := range strings.FieldsSeq(text) {
		i, err := strconv.Atoi(field)
		if err != nil {
			return nil, err
		}
		all[i] = true
	}
	return all, nil
}

// fails runs the test with a mutant. A test that does not end fails too.
func (t *test) fails(m mutant) (fails, late bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience+20*t.takes)
	defer cancel()
	args := limited(busy(t.takes), t.suite.binary, "-test.run", "^"+t.name+"$", "-test.failfast")
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = t.suite.dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, m.id))
	cmd.WaitDelay = time.Second // a worker process may hold the output open
	err := cmd.Run()
	exit := (*exec.ExitError)(nil)
	return err != nil, ctx.Err() != nil || errors.As(err, &exit) && outOfTime(exit.ProcessState)
}

// patience is how long a test may do nothing. One that is busy is ended by its processor time, so that a busy machine
// ends none.
const patience = 30 * time.Second

// busy is the processor time that a test gets with a mutant, in whole seconds.
func busy(takes time.Duration) time.Duration { return (5 * takes).Truncate(time.Second) + time.Second }

// reaching gives the tests in which a mutant makes a difference, those first that will probably kill it for the least
// time. That is known from mutants of the same file that were tried before.
func reaching(m mutant, suites []*suite) []*test {
	var all []*test
	cost := map[*test]float64{}
	for _, s := range suites {
		for _, t := range s.tests {
			if t.matters[m.id] {
				all = append(all, t)
				cost[t] = t.cost(m)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *test) int { return cmp.Compare(cost[a], cost[b]) })
	return all
}

// score counts the mutants that a test was tried with, and those that it killed.
type score struct{ tried, killed int }

// cost is how long the test takes for each mutant like this one that it kills.
func (t *test) cost(m mutant) float64 {
	near := t.record[m.file]
	var far score
	for s := range maps.Values(t.record) {
		far.tried += s.tried
		far.killed += s.killed
	}
	chance := (float64(far.killed) + 1) / (float64(far.tried) + 2)
	chance = (float64(near.killed) + 2*chance) / (float64(near.tried) + 2)
	return (t.takes + starting).Seconds() / chance
}

// starting is about what it takes to start a test.
const starting = 10 * time.Millisecond

// note counts whether the test killed a mutant.
func (t *test) note(m mutant, kills bool) {
	s := t.record[m.file]
	s.tried++
	if kills {
		s.killed++
	}
	t.record[m.file] = s
}
