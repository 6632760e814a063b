package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// This file builds and runs tests.

// suite is the tests of one package, built with all mutants.
type suite struct {
	path, dir, binary string
	tests             []test
}

// test is one test, with what it reaches in the package that is changed.
type test struct {
	name    string
	takes   time.Duration
	reaches []block
}

// block is a piece of code that coverage counts, from one line and column to another.
type block struct {
	file            string
	line, col       int
	endLine, endCol int
}

func (b block) has(m mutant) bool {
	l, c := m.reach.Line, m.reach.Column
	return b.file == filepath.Base(m.file) && (l > b.line || l == b.line && c >= b.col) &&
		(l < b.endLine || l == b.endLine && c <= b.endCol)
}

// build makes the suites of test packages, and runs each test once without a mutant.
func build(p *pkg, tests []string, quick time.Duration, dir string) ([]*suite, error) {
	overlay, err := p.write(dir)
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
		covering := s.binary + ".cover"
		if _, err := goCommand("test", "-c", "-vet=off", "-cover", "-coverpkg", p.path, "-o", covering, pattern); err != nil {
			return nil, err
		}
		if err := s.measure(covering, p.path, quick); err != nil {
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

// write puts the changed files into a directory and gives the overlay that replaces the ones of the tree by them.
func (p *pkg) write(dir string) (string, error) {
	replace := map[string]string{}
	for name, text := range p.changed {
		replace[name] = filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(replace[name], text, 0o600); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// measure runs each test without a mutant, in a binary that counts what of the package it reaches. Tests that take
// more processor time than quick are left out, unless that is 0.
func (s *suite) measure(binary, pkg string, quick time.Duration) error {
	cmd := exec.Command(binary, "-test.list", ".")
	cmd.Dir = s.dir
	names, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("tests of %s: %w", s.path, err)
	}
	for name := range strings.FieldsSeq(string(names)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		profile := binary + ".out"
		ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(20*quick, time.Hour))
		cmd := exec.CommandContext(ctx, binary, "-test.run", "^"+name+"$", "-test.coverprofile", profile)
		cmd.Dir = s.dir
		out, err := cmd.CombinedOutput()
		slow := ctx.Err() != nil
		cancel()
		if slow {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s of %s fails without a mutant: %w\n%s", name, s.path, err, out)
		}
		t := test{name: name, takes: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
		if quick > 0 && t.takes > quick {
			continue
		}
		text, err := os.ReadFile(profile)
		if err != nil {
			return err
		}
		if t.reaches = reached(string(text), pkg); len(t.reaches) > 0 {
			s.tests = append(s.tests, t)
		}
	}
	slices.SortFunc(s.tests, func(a, b test) int { return int(a.takes - b.takes) })
	return nil
}

// reached gives the blocks of a package that a coverage profile counts.
func reached(profile, pkg string) []block {
	var all []block
	for line := range strings.Lines(profile) {
		rest, ok := strings.CutPrefix(line, pkg+"/")
		if !ok {
			continue
		}
		file, place, _ := strings.Cut(rest, ":")
		if strings.Contains(file, "/") {
			continue // of a package below
		}
		b := block{file: file}
		var statements, count int
		n, _ := fmt.Sscanf(place, "%d.%d,%d.%d %d %d", &b.line, &b.col, &b.endLine, &b.endCol, &statements, &count)
		if n == 6 && count > 0 {
			all = append(all, b)
		}
	}
	return all
}

// fails runs a test with a mutant. A test that does not end fails too.
func (s *suite) fails(t test, m mutant) (fails, late bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience+20*t.takes)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.binary, "-test.run", "^"+t.name+"$", "-test.failfast")
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, m.id))
	cmd.WaitDelay = time.Second // a worker process may hold the output open
	err := cmd.Run()
	exit := (*exec.ExitError)(nil)
	return err != nil, ctx.Err() != nil || errors.As(err, &exit) && outOfTime(exit.ProcessState)
}

// patience is how long a test may do nothing. One that is busy is ended by limit, in processor time, so that a busy
// machine ends none.
const patience = 2 * time.Minute

// longest gives the processor time of the test that takes most.
func longest(suites []*suite) time.Duration {
	var most time.Duration
	for _, s := range suites {
		for _, t := range s.tests {
			most = max(most, t.takes)
		}
	}
	return most
}
