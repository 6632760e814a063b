package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// This file writes the files of a package with all mutants in them, and the switches that turn one on.

const (
	variable = "MUTANT"      // says which mutant is on
	matters  = "MUTANT_FILE" // names the file that gets the numbers of mutants that would make a difference
)

// switchOn is for the tests that a mutant is tried with.
const switchOn = `package PACKAGE

import (
	"os"
	"strconv"
)

var mutant_ = func() int {
	if i, err := strconv.Atoi(os.Getenv("VARIABLE")); err == nil {
		return i
	}
	return -1
}()

func mutantOn_(i int) bool { return i == mutant_ }
` + switchInts

// notice is for the run that finds the tests in which a mutant makes a difference. None is on.
const notice = `package PACKAGE

import (
	"fmt"
	"os"
	"sync/atomic"
)

var mutantsSeen_ [COUNT]atomic.Bool

func mutantOn_(i int) bool {
	if mutantsSeen_[i].Load() || !mutantsSeen_[i].CompareAndSwap(false, true) {
		return false
	}
	f, err := os.OpenFile(os.Getenv("MATTERS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, i); err != nil {
		panic(err)
	}
	return false
}
` + switchInts

const switchInts = `
type mutantInt_ interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func mutantLess_[T mutantInt_](i int, x T) T {
	if mutantOn_(i) {
		x--
	}
	return x
}

func mutantMore_[T mutantInt_](i int, x T) T {
	if mutantOn_(i) {
		x++
	}
	return x
}

func mutantOther_[T mutantInt_](i int, x T) T {
	if mutantOn_(i) {
		x += 101
	}
	return x
}
`

// write puts the changed files and these switches into a directory. It gives the overlay that replaces those of the
// tree by them.
func (p *pkg) write(dir, switches string) (string, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	switches = strings.NewReplacer("PACKAGE", p.name, "VARIABLE", variable, "MATTERS", matters,
		"COUNT", strconv.Itoa(len(p.mutants))).Replace(switches)
	texts := map[string][]byte{filepath.Join(p.dir, "mutants_switches.go"): []byte(switches)}
	for name, text := range p.changed {
		texts[name] = text
	}
	replace := map[string]string{}
	for name, text := range texts {
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
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	return overlay, nil
}
