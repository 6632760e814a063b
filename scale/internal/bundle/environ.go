package bundle

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/internal/settings"
)

// This file says which variables a test is started with on other machines. The environment of a user has secrets, so
// nothing of it travels that was not asked for.

// here are the settings that concern one process or its files: they mean nothing on another machine. The budget is that
// of a run, not of what it is about.
var here = []string{"REHEARSE_BUDGET", "REHEARSE_WORKERS", "REHEARSE_RESUME", "REHEARSE_REPLAY", "REHEARSE_REPORT",
	"REHEARSE_PROGRESS", "REHEARSE_COVERPROFILE"}

// Environment gives the variables of environ that travel: the settings of Rehearse that do not concern this machine
// alone, and those that the user names. A name that is not set is an error.
func Environment(environ, names []string) ([]string, error) {
	known := settings.Variables()
	values := map[string]string{}
	for _, v := range environ { // the last one of a name counts
		if name, value, ok := strings.Cut(v, "="); ok && name != "" {
			values[name] = value
		}
	}
	var list []string
	for name, value := range values {
		if slices.Contains(known, name) && !slices.Contains(here, name) && value != "" && !slices.Contains(names, name) {
			list = append(list, name+"="+value)
		}
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		value, ok := values[name]
		if !ok {
			return nil, fmt.Errorf("-env %s: the variable is not set: set it, or leave the flag out", name)
		}
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list, checkEnv(list)
}

// checkEnv says what is wrong with variables.
func checkEnv(env []string) error {
	seen := map[string]bool{}
	for i, v := range env {
		name, value, ok := strings.Cut(v, "=")
		switch {
		case !ok || name == "" || !plain(name):
			return fmt.Errorf("variable %d: want NAME=value", i+1)
		case len(v) > maxWord || !utf8.ValidString(value) || strings.ContainsRune(value, 0):
			// The value may be a secret: it is not shown.
			return fmt.Errorf("variable %.80q: want UTF-8 of at most %d bytes without NUL", name, maxWord)
		case seen[name]:
			return fmt.Errorf("variable %.80q is there twice", name)
		}
		seen[name] = true
	}
	if !slices.IsSorted(env) {
		return errors.New("variables are not sorted")
	}
	return nil
}

// ofMachine are the variables that a process needs of the machine that it runs on.
var ofMachine = []string{"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TMP", "TEMP", "TZ", "LANG", "LC_ALL",
	"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA",
	"LOCALAPPDATA", "XDG_CACHE_HOME"}

// environ is the environment of the test on this machine: what a process needs, and the variables of the job. The rest
// is the worker's own, credentials among it.
func (m *Manifest) environ() []string {
	var env []string
	for _, v := range os.Environ() {
		if name, _, ok := strings.Cut(v, "="); ok && slices.Contains(ofMachine, strings.ToUpper(name)) {
			env = append(env, v)
		}
	}
	return append(env, m.Env...)
}
