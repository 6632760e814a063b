package settings

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

func env(kv ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(kv); i += 2 {
			if kv[i] == name {
				return kv[i+1]
			}
		}
		return ""
	}
}

func TestReadNothing(t *testing.T) {
	v, err := Read(env())
	if err != nil {
		t.Fatal(err)
	}
	if v != (Values{}) {
		t.Errorf("no variable is set, yet: %+v", v)
	}
}

func TestReadEverything(t *testing.T) {
	v, err := Read(env("REHEARSE_BUDGET", "30s", "REHEARSE_STRATEGY", "naive", "REHEARSE_SEED", "0x10",
		"REHEARSE_MODEL", "fifo",
		"REHEARSE_TIMERS", "quiescent", "REHEARSE_REPLAY", "a.schedule", "REHEARSE_REPORT", "out.jsonl",
		"REHEARSE_STATES", "1",
		"REHEARSE_LOGS", "on", "REHEARSE_SAVE", "off", "REHEARSE_WORKERS", "3", "REHEARSE_RESUME", "kept",
		"REHEARSE_COVERPROFILE", "c.out",
		"REHEARSE_CORPUS", "1", "REHEARSE_FACTS", "off", "REHEARSE_KEEP_GOING", "1", "REHEARSE_CHOICES", "20/3"))
	if err != nil {
		t.Fatal(err)
	}
	if v.Budget != "30s" || v.Strategy != "naive" || *v.Seed != 16 || v.Model != trace.FIFO ||
		*v.Timers != trace.Quiescent ||
		v.Replay != "a.schedule" || v.Report != "out.jsonl" || !v.States || !*v.Logs || v.Save != SaveNothing ||
		v.Workers != 3 || v.Resume != "kept" || v.Coverage != "c.out" || !*v.Corpus || !*v.KeepOn || v.Facts != "off" ||
		v.Choices != "20/3" {
		t.Errorf("read %+v", v)
	}
}

func TestUnknownVariable(t *testing.T) {
	for _, c := range []struct{ variable, want string }{
		{"REHEARSE_BUGDET=5x", "REHEARSE_BUGDET is not known: did you mean REHEARSE_BUDGET?"},
		{"REHEARSE_STRATEGIES=naive", "did you mean REHEARSE_STRATEGY?"},
		{"REHERSE_SEED=1", "REHERSE_SEED is not known: did you mean REHEARSE_SEED?"},
		{"rehearse_seed=1", "rehearse_seed is not known: did you mean REHEARSE_SEED?"},
		{"REHEARSE_DATABASE_NAME=x", "REHEARSE_DATABASE_NAME is not known: unset it, or use one of REHEARSE_BUDGET, "},
		{"REHEARSE_BUGDET=", ""},
		{"REHEARSE_BUDGET=5x", ""},
		{"REHEARSE_WORKER=3", ""},
		{"REHEARSE_TEST_CHILD=1", ""},
		{"SEED=1", ""},
		{"HOME=/root", ""},
		{"=C:=C:", ""},
	} {
		err := Unknown([]string{"PATH=/bin", c.variable})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.variable, err, c.want)
		}
	}
}

func TestClosest(t *testing.T) {
	known := []string{"budget", "strategy", "seed", "model"}
	for name, want := range map[string]string{"budgt": "budget", "bugdet": "budget", "startegy": "strategy", "see": "seed",
		"mode": "model", "x": "", "timers": "", "": ""} {
		if got := Closest(name, known); got != want {
			t.Errorf("closest to %q is %q, want %q", name, got, want)
		}
	}
}

func TestBadVariableIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ value, want string }{
		"REHEARSE_BUDGET":   {"a lot", `budget "a lot": want a number of executions such as 1000x`},
		"REHEARSE_STRATEGY": {"clever", `unknown strategy "clever": want one of auto, default`},
		"REHEARSE_SEED":     {"-1", `seed "-1": want a whole number`},
		"REHEARSE_MODEL":    {"lifo", `unknown delivery model "lifo": want one of default, bag`},
		"REHEARSE_TIMERS":   {"never", `unknown timer mode "never": want one of quiescent, async`},
		"REHEARSE_STATES":   {"perhaps", `"perhaps": want on (1, true, yes) or off`},
		"REHEARSE_LOGS":     {"2", `"2": want on`},
		"REHEARSE_WORKERS":  {"0", `"0": want a number of processes from 1 to 1024`},
		"REHEARSE_SAVE":     {"never", `"never": want on, off, refresh, prune or guided`},
		"REHEARSE_CORPUS":   {"big", `"big": want on`},
	} {
		_, err := Read(env(name, c.value))
		if err == nil || !strings.Contains(err.Error(), "environment variable "+name+": ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: error %v, want the variable's name and %q", name, c.value, err, c.want)
		}
	}
}

func TestSaveModes(t *testing.T) {
	for value, want := range map[string]SaveMode{"": SaveFindings, "1": SaveFindings, "on": SaveFindings,
		"off": SaveNothing, "0": SaveNothing,
		"refresh": SaveRefresh, "prune": SavePrune, "guided": SaveGuided} {
		if v, err := Read(env("REHEARSE_SAVE", value)); err != nil || v.Save != want {
			t.Errorf("REHEARSE_SAVE=%s: %v, %v", value, v.Save, err)
		}
	}
}

// The manual, the flags and the variables come from one table, so that none can be forgotten.
func TestTable(t *testing.T) {
	manual := Manual()
	seen := map[string]bool{}
	for _, r := range Rows() {
		if want := "REHEARSE_" + strings.ToUpper(strings.ReplaceAll(r.Flag, "-", "_")); r.Env != want {
			t.Errorf("flag %s has variable %s, want %s", r.Flag, r.Env, want)
		}
		if r.Doc == "" || seen[r.Flag] {
			t.Errorf("row %s: no text, or twice", r.Flag)
		}
		seen[r.Flag] = true
		if !strings.Contains(manual, "| `-"+r.Flag+"` | `"+r.Env+"` |") {
			t.Errorf("the manual lacks %s:\n%s", r.Flag, manual)
		}
	}
}
