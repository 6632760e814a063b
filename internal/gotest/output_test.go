package gotest

import (
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// captured are loggers that took the pointers before anything was redirected, as a program's do at initialisation.
var (
	capturedLog  = log.New(os.Stderr, "own: ", 0)
	capturedSlog = slog.New(slog.NewTextHandler(os.Stdout, nil))
)

func chatter(i int) {
	fmt.Println("print", i)
	fmt.Fprintln(os.Stderr, "stderr", i)
	log.Println("log", i)
	slog.Info("slog", "i", i)
	capturedLog.Println("captured log", i)
	capturedSlog.Info("captured slog", "i", i)
}

// TestChild is the program of the other tests: what it prints is looked at from outside.
func TestChild(t *testing.T) {
	switch os.Getenv("LOGCAPTURE_CHILD") {
	case "mute":
		_, restore, err := Mute()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			chatter(i)
		}
		restore()
	case "panic":
		func() {
			defer func() { recover() }()
			_, restore, err := Mute()
			if err != nil {
				t.Fatal(err)
			}
			defer restore()
			chatter(0)
			panic("in the middle")
		}()
	case "real":
		real, restore, err := Mute()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(real, "progress")
		chatter(0)
		restore()
	default:
		return
	}
	fmt.Println("after")
	log.Println("after")
	slog.Info("after")
}

func child(t *testing.T, mode string, flags ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], append(flags, "-test.run=^TestChild$")...)
	cmd.Env = append(os.Environ(), "LOGCAPTURE_CHILD="+mode)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestThousandExecutionsPrintNothing(t *testing.T) {
	for _, mode := range []string{"mute", "panic"} {
		out := child(t, mode)
		if strings.Contains(out, "print") || strings.Contains(out, "log ") || strings.Contains(out, "stderr") ||
			strings.Contains(out, "slog") {
			t.Errorf("%s: something got through:\n%s", mode, out)
		}
		if n := strings.Count(out, "after"); n != 3 {
			t.Errorf("%s: afterwards stdout, log and slog are to work again; %d of 3 did:\n%s", mode, n, out)
		}
	}
}

// With go test -json, as the command runs it, package testing exchanges os.Stderr after loggers took it.
func TestNothingIsPrintedUnderJSON(t *testing.T) {
	if out := child(t, "mute", "-test.v=test2json"); strings.Contains(out, "captured log") {
		t.Errorf("something got through:\n%s", out)
	}
}

func TestRealStderrWhileMuted(t *testing.T) {
	if out := child(t, "real"); !strings.Contains(out, "progress\n") || strings.Contains(out, "print") {
		t.Errorf("want the progress line alone:\n%s", out)
	}
}

func TestCapture(t *testing.T) {
	c, err := StartCapture()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop(0)
	chatter(7)
	got := c.Stop(1 << 16)
	for _, want := range []string{"print 7\n", "stderr 7\n", "log 7\n", "msg=slog i=7\n", "own: captured log 7\n",
		"msg=\"captured slog\" i=7\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("captured text lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "level=INFO msg=slog") &&
		strings.Contains(strings.SplitN(got, "level=INFO msg=slog", 2)[0], "time=") {
		t.Errorf("times differ from replay to replay and should be left out:\n%s", got)
	}
	if again := c.Stop(1 << 16); again != "" {
		t.Errorf("second Stop gives %q", again)
	}
}

func TestCaptureIsBounded(t *testing.T) {
	c, err := StartCapture()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Print(strings.Repeat("x", 1000))
	if got := c.Stop(10); !strings.HasPrefix(got, "xxxxxxxxxx\n") || !strings.Contains(got, "left out") {
		t.Errorf("got %q", got)
	}
}

// What a program writes for a terminal is captured without what only a terminal understands, also where the bound cuts
// it.
func TestCaptureHasNoColours(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[2m12:00\x1b[0m \x1b[92mINF\x1b[0m started": "12:00 INF started",
		"\x1b[38;5;200mpink\x1b[m [1m":                   "pink [1m",
		"\x1b[2K\x1b[1;1Hline":                           "line",
		"ends \x1b[9":                                    "ends ",
		"ends \x1b":                                      "ends ",
	} {
		c, err := StartCapture()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Print(text)
		if got := c.Stop(1000); got != want {
			t.Errorf("%q was captured as %q, want %q", text, got, want)
		}
	}
	c, err := StartCapture()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Print("\x1b[92mINF\x1b[0m")
	if got := c.Stop(10); got != "INF\n... (the rest is left out)\n" {
		t.Errorf("%q", got)
	}
}
