package files

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// left lists what is in the temporary folder.
func left(t *testing.T) []string {
	t.Helper()
	return names(t, os.TempDir())
}

func TestTempFolder(t *testing.T) {
	if os.Getenv("TEMP_FOLDER_TEST_CHILD") != "" {
		dir, remove, err := TempFolder("kind")
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("DIR " + dir + "\n")
		// Not select {}: a process in which nothing can go on is ended by the Go runtime.
		_, _ = os.Stdin.Read(make([]byte, 1))
		remove()
		return
	}
	base := filepath.Join(t.TempDir(), "odd [name]*")
	if err := os.Mkdir(base, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, base)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestTempFolder$")
	cmd.Env = append(os.Environ(), "TEMP_FOLDER_TEST_CHILD=1")
	out, err := cmd.StdoutPipe()
	if err == nil {
		_, err = cmd.StdinPipe() // never written to
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	theirs := strings.TrimSpace(strings.TrimPrefix(line, "DIR "))
	if err != nil || filepath.Dir(theirs) != base {
		t.Fatalf("%q, %v: want a folder in %s", line, err, base)
	}
	// While its process lives it stays, as do folders of other kinds and what is no folder of ours.
	if err := os.Mkdir(filepath.Join(base, ".kind-1"), 0o755); err != nil { // its process was killed at once
		t.Fatal(err)
	}
	for _, other := range []string{"kind-mine", "other-1"} {
		if err := os.Mkdir(filepath.Join(base, other), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	mine, remove, err := TempFolder("kind")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{mine, theirs} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("%v, and its process lives", err)
		}
	}
	remove()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	_, remove, err = TempFolder("kind")
	if err != nil {
		t.Fatal(err)
	}
	remove()
	want := 2
	if NoLocks != "" {
		want = 3
	}
	if names := left(t); len(names) != want {
		t.Errorf("%q are left, want kind-mine and other-1", names)
	}
}

func TestTempFolderSaysWhatFailed(t *testing.T) {
	base := filepath.Join(t.TempDir(), "none")
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, base)
	}
	if _, _, err := TempFolder("kind"); err == nil || !strings.Contains(err.Error(), "make a temporary folder") ||
		!strings.Contains(err.Error(), base) {
		t.Errorf("%v", err)
	}
}
