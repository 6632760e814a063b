package rehearse

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/settings"
)

// The root package stays small: under 40 exported names.
func TestExportedNames(t *testing.T) {
	pkgs, err := parser.ParseDir(token.NewFileSet(), ".", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	for file, f := range pkgs["rehearse"].Files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(s.Name)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							add(id)
						}
					}
				}
			}
		}
	}
	if len(names) > 40 || len(names) < 10 {
		t.Errorf("%d exported names, want at most 40: %v", len(names), names)
	}
}

// Every field that a row of the settings table names exists.
func TestSettingsNameFields(t *testing.T) {
	for _, r := range settings.Rows() {
		if _, ok := reflect.TypeFor[Config]().FieldByName(r.Field); r.Field != "" && !ok {
			t.Errorf("%s names the field %s, which Config does not have", r.Env, r.Field)
		}
	}
}

func TestResultWords(t *testing.T) {
	base := Result{Strategy: "auto", Budget: "1000x", Seed: 1, Model: Bag}
	with := func(f func(*Result)) Result { r := base; f(&r); return r }
	for want, r := range map[string]Result{
		"complete: 120 executions, 1 delivery, no repeats (strategy auto, budget 1000x, seed 1, model bag, timers quiescent)": with(func(r *Result) {
			r.Executions, r.Deliveries, r.Complete, r.Reason, r.Estimate = 120, 1, true, "complete",
				explore.Estimate{Total: 500, Low: 400, High: 600}
		}),
		"budget reached: 1,000 executions, 12,345 deliveries, 32 repeats, of an estimated 60,000 (40,000 to 91,000), " +
			"sampled (": with(func(r *Result) {
			r.Executions, r.Deliveries, r.Replayed, r.Reason, r.Estimate, r.Rechecked = 1000, 12000, 345, "budget",
				explore.Estimate{Total: 60480, Low: 40000, High: 90000.5}, 32
		}),
		"budget reached: 1,000 executions, 0 deliveries, about 30% of an estimated 3,300 (2,000 to 5,000) classes, sampled (": with(func(r *Result) {
			r.Executions, r.Classes, r.Reason, r.Estimate = 1000, 1000, "budget",
				explore.Estimate{Total: 3333, Low: 2000, High: 5000}
		}),
		"budget reached: 2 executions, 0 deliveries, less than 1% of an estimated 3,300 (2 to 1,000,000,000,000,000) " +
			"classes, sampled (": with(func(r *Result) {
			r.Executions, r.Classes, r.Reason, r.Estimate = 2, 2, "budget",
				explore.Estimate{Total: 3333, Low: 2, High: math.Inf(1)}
		}),
		"timers quiescent); the program sets timers, which fired only when nothing else could happen: -timers async lets " +
			"them fire at any point": with(func(r *Result) {
			r.Complete, r.Timed = true, true
		}),
		"complete up to 3 deviations: 40 executions, 0 deliveries, bounded (": with(func(r *Result) {
			r.Executions, r.Reason, r.Within, r.Estimate = 40, "done", "3 deviations",
				explore.Estimate{Total: 40, Low: 40, High: 40}
		}),
		"budget reached, complete up to 1 deviation: 40 executions, 0 deliveries, bounded (": with(func(r *Result) {
			r.Executions, r.Reason, r.Within = 40, "budget", "1 deviation"
		}),
		"complete: 1 execution, 0 deliveries, no repeats (": with(func(r *Result) {
			r.Executions, r.Complete, r.Reason = 1,
				true, "complete"
		}),
		"strategy done: 3 executions, 0 deliveries, 2 more cut short, bounded (": with(func(r *Result) {
			r.Executions, r.Blocked, r.Bounded, r.Reason = 3, 2, true, "done"
		}),
		"stopped at a finding: 2 executions, 0 deliveries, sampled (":                                   with(func(r *Result) { r.Executions, r.Reason = 2, "found" }),
		"ended by an error: 2 executions, 0 deliveries, sampled (":                                      with(func(r *Result) { r.Executions, r.Reason = 2, "error" }),
		"stopped before -timeout, at a quarter of what was left: 2 executions, 0 deliveries, sampled (": with(func(r *Result) { r.Executions, r.Reason = 2, "stopped" }),
		"stopped before -timeout: 2 executions, 0 deliveries, sampled (":                                with(func(r *Result) { r.Executions, r.Reason, r.Budget = 2, "stopped", "unlimited" }),
		"replayed only: 0 executions, 0 deliveries (":                                                   with(func(r *Result) { r.Reason = "replayed" }),
		"; a bounded mailbox; not looked for":                                                           with(func(r *Result) { r.Reason, r.Bypassed, r.Remarks = "done", "a bounded mailbox", "not looked for" }),
		"; the program chose an order of its own: map":                                                  with(func(r *Result) { r.Reason, r.Uncontrolled = "done", "map" }),
		"strategy done: 0 executions, 0 deliveries, bounded (":                                          with(func(r *Result) { r.Reason, r.Beyond = "done", "tick" }),
		"; executions were cut because they did not come to an end; FailNow cut executions, and what would have come after " +
			"it was not executed": with(func(r *Result) {
			r.Reason, r.Bounded, r.Ended = "done", true, true
		}),
		"; the field N of m held something else when the execution was repeated (": with(func(r *Result) {
			r.Reason,
				r.Varied = "done", "the field N of m"
		}),
		"; the program did not repeat an execution, so nobody": with(func(r *Result) { r.Reason, r.Diverged = "done", true }),
		"; timers beyond the horizon of 1m0s were left out: tick for A, due at 2m0s; raise Config.Horizon": with(func(r *Result) {
			r.Reason, r.Horizon, r.Beyond = "done", time.Minute, "tick for A, due at 2m0s"
		}),
	} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("got  %s\nwant %s", r, want)
		}
	}
}
