package command

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/settings"
)

// DeclareSettings makes a flag of every row of the settings table, or of those with one of the names.
func DeclareSettings(fs *flag.FlagSet, v *Values, only ...string) {
	for _, r := range settings.Rows() {
		if len(only) > 0 && !slices.Contains(only, r.Flag) {
			continue
		}
		doc := r.Doc
		if r.Default != "" {
			doc += " (default: " + r.Default + ")"
		}
		v.Add(fs, r.Flag, doc, false, func(s string) error { return checkSetting(r, s) })
	}
}

// checkSetting finds a bad value before anything is built.
func checkSetting(r settings.Row, s string) error {
	_, err := settings.Read(func(name string) string {
		if name == r.Env {
			return s
		}
		return ""
	})
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "environment variable "+r.Env+": "))
}

// Environment gives the settings that were given as variables for the test binary.
func Environment(v *Values) []string {
	var env []string
	for _, n := range v.Names {
		env = append(env, Variable(n)+"="+v.Value[n])
	}
	return env
}

// Variable is the environment variable of a setting. A name that is not in the table is a bug of the caller.
func Variable(flagName string) string {
	for _, r := range settings.Rows() {
		if r.Flag == flagName {
			return r.Env
		}
	}
	panic("command: no setting " + flagName)
}
