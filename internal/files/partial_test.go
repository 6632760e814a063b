package files

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
)

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// What a writer left that was killed is removed by the next one, whatever that writes; what a living one is writing
// stays, and so does what is not ours.
func TestLeftoversOfKilledWriters(t *testing.T) {
	if dir := os.Getenv("FILES_TEST_WRITE"); dir != "" {
		_ = Write(filepath.Join(dir, "killed"), func(io.Writer) error {
			fmt.Println("writing")
			// not select {}: a process in which nothing can go on is ended by the Go runtime
			_, err := os.Stdin.Read(make([]byte, 1))
			return err
		})
	}
	if NoLocks != "" {
		t.Log(NoLocks) // nothing is removed here, as the package says
		return
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestLeftoversOfKilledWriters$")
	cmd.Env = append(os.Environ(), "FILES_TEST_WRITE="+dir)
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
	if _, err := io.ReadFull(out, make([]byte, len("writing"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".notes-12.txt", "notes-12.partial", ".notes.partial"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteBytes(filepath.Join(dir, "a"), nil); err != nil {
		t.Fatal(err)
	}
	if n := len(names(t, dir)); n != 5 {
		t.Errorf("while the other one lives there are %q", names(t, dir))
	}
	cmd.Process.Kill()
	cmd.Wait()
	if err := WriteBytes(filepath.Join(dir, "b"), nil); err != nil {
		t.Fatal(err)
	}
	if want := []string{".notes-12.txt", ".notes.partial", "a", "b",
		"notes-12.partial"}; !slices.Equal(names(t, dir), want) {
		t.Errorf("left are %q, want %q", names(t, dir), want)
	}
}

// Many writers at the same time take nothing from each other.
func TestWritersAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for n := range 50 {
				path, text := filepath.Join(dir, strconv.Itoa((g+n)%4)), strconv.Itoa(1000+g)
				if err := WriteBytes(path, []byte(text)); err != nil {
					t.Error(err)
				}
				if b, err := Read(path); err != nil || len(b) != len(text) {
					t.Errorf("%q, %v", b, err)
				}
			}
		})
	}
	wg.Wait()
	if got := names(t, dir); len(got) != 4 {
		t.Errorf("left are %q", got)
	}
}
