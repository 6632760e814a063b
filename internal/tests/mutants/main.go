// Command mutants changes one thing at a time in a package and tells which changes no test notices.
//
//	go run ./internal/tests/mutants ./internal/delivery
//	go run ./internal/tests/mutants -tests ./internal/dpor,./internal/tests/agree -for 10m ./internal/causal
//
// A change that no test notices (a survivor) shows a test that is missing, code that does nothing, or code that only
// saves time. CONTRIBUTING.md says how to read the output.
//
// All mutants are compiled into one binary a test package, and the environment says which of them is on. So a mutant
// costs no build, only the tests that reach it. No file of the tree is written: the compiler reads changed sources by
// -overlay.
//
//	source:  mutant schemata, R. Untch, A. Offutt, M. Harrold, ISSTA 1993; a test that a mutant leaves in the same state
//	         is not run (weak mutation, W. Howden, IEEE TSE 1982)
//	cost:    two builds and one run of all tests; then for each mutant the tests in which it makes a difference, until
//	         one fails, first those that killed most for the time they take
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// settings are what the command line says.
type settings struct {
	pkg     string
	tests   []string       // packages whose tests run, in this order
	at      *regexp.Regexp // only mutants whose place it matches
	again   []string       // only mutants that an earlier run printed
	seed    uint64
	limit   time.Duration // stop after; 0: never
	quick   time.Duration // leave out tests that take longer; 0: none
	spend   time.Duration // on a mutant at most; 0: no bound
	workers int
	list    bool
}

func main() {
	s, err := parse(os.Args[1:])
	if err == nil {
		err = run(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}

func parse(args []string) (settings, error) {
	var s settings
	f := flag.NewFlagSet("mutants", flag.ContinueOnError)
	tests := f.String("tests", "", "further packages whose tests run, separated by commas, behind the package's own")
	at := f.String("at", "", "only mutants whose `file:line:column: change` matches this regular expression")
	again := f.String("again", "", "only mutants that an earlier run on the same files printed into this `file`")
	f.Uint64Var(&s.seed, "seed", 1, "the order in which mutants are tried, which is the sample where -for ends it")
	f.DurationVar(&s.limit, "for", 0, "try mutants for so long, 0 means all of them")
	f.DurationVar(&s.quick, "quick", 0, "leave out tests that take more processor time, 0 means none of them")
	f.DurationVar(&s.spend, "spend", 0, "a mutant has survived after tests of so much processor time, 0 means all tests")
	f.IntVar(&s.workers, "p", 1, "mutants tried at the same time")
	f.BoolVar(&s.list, "list", false, "list the mutants and try none")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() != 1 || strings.Contains(f.Arg(0), "...") {
		return s, fmt.Errorf("want one package, as in: mutants [flags] ./internal/delivery")
	}
	if s.workers < 1 {
		return s, fmt.Errorf("-p is %d, want at least 1", s.workers)
	}
	var err error
	if s.at, err = regexp.Compile(*at); err != nil {
		return s, fmt.Errorf("-at: %w", err)
	}
	if *again != "" {
		text, err := os.ReadFile(*again)
		if err != nil {
			return s, fmt.Errorf("-again: %w", err)
		}
		s.again = strings.Split(string(text), "\n")
	}
	s.pkg = f.Arg(0)
	s.tests = []string{s.pkg}
	if *tests != "" {
		s.tests = append(s.tests, strings.Split(*tests, ",")...)
	}
	return s, nil
}

// chooses reports whether a mutant is one of those to try.
func (s *settings) chooses(m mutant) bool {
	text := m.String()
	again := s.again == nil || slices.Contains(s.again, text) || slices.Contains(s.again, text+idle)
	return again && s.at.MatchString(text)
}

func run(s settings) error {
	p, err := load(s.pkg)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(slices.Clone(p.mutants), func(m mutant) bool { return !s.chooses(m) })
	if s.list {
		for _, m := range chosen {
			fmt.Println(m)
		}
		fmt.Printf("%s: %d mutants\n", p.path, len(chosen))
		return nil
	}
	rng := rand.New(rand.NewPCG(s.seed, 0))
	rng.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })

	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	suites, err := build(p, s.tests, s.quick, dir)
	if err != nil {
		return err
	}
	t := &tally{started: time.Now()}
	t.tryAll(chosen, suites, s)
	t.report(os.Stdout, p.path, len(chosen))
	return nil
}
