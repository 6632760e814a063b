package profile

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// one is a profile with one row.
func one(test string, n int) *Profile {
	p := New()
	p.Of(Test{"p", test, "bag"}, "T").Received[fmt.Sprintf("M%06d", n)] = true
	return p
}

func TestAddToFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.out")
	if err := AddToFile(filepath.Join(filepath.Dir(path), "mistyped", "c.out"), one("A", 1)); err == nil ||
		!strings.Contains(err.Error(), "there is no folder") {
		t.Error(err)
	}
	if _, err := ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, p := range []*Profile{one("A", 1), one("B", 1), one("A", 1)} {
		if err := AddToFile(path, p); err != nil {
			t.Fatal(err)
		}
	}
	p, err := ReadFile(path)
	if err != nil || p.String() != merged(one("A", 1), one("B", 1)).String() {
		t.Errorf("%v\n%s", err, p)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("more than the profile is left: %v", left)
	}

	// What was made by somebody who was killed before anything was in it holds nothing.
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := AddToFile(path, one("C", 1)); err != nil {
		t.Fatal(err)
	}

	// What is no profile is not overwritten.
	if err := os.WriteFile(path, []byte("mode: set\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err = AddToFile(path, one("A", 1))
	if text, _ := os.ReadFile(path); err == nil || string(text) != "mode: set\n" ||
		!strings.HasPrefix(err.Error(), "coverage profile: ") ||
		!strings.HasSuffix(err.Error(), "; nothing was added to it") {
		t.Errorf("%v, the file holds %q", err, text)
	}
	if err := AddToFile(filepath.Dir(path), one("A", 1)); err == nil {
		t.Error("a folder is no file")
	}
}

// A profile with nothing in it tells nothing: who reads it is told so. Something can be added to it.
func TestEmptyProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.out")
	for text, want := range map[string]string{"": "the file is empty",
		Header + " 1\n": "c.out: the profile is empty: it has a header, and no test"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err := AddToFile(path, one("A", 1)); err != nil {
			t.Error(err)
		}
		if _, err := ReadFile(path); err != nil {
			t.Error(err)
		}
	}
}

// Several goroutines with files of their own are to a lock what several processes are.
func TestAddToFileAtTheSameTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.out")
	want := New()
	var wg sync.WaitGroup
	for g := range 8 {
		for n := range 12 {
			want.Merge(one(strconv.Itoa(g), n))
		}
		wg.Go(func() {
			for n := range 12 {
				if err := AddToFile(path, one(strconv.Itoa(g), n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got, err := ReadFile(path); err != nil || got.String() != want.String() {
		t.Errorf("rows were lost: %v\n%s", err, got)
	}
}

// Processes that are killed while they add leave a whole profile with everything that they had added, and no lock.
func TestAddToFileKilled(t *testing.T) {
	if to := os.Getenv("PROFILE_TEST_ADD"); to != "" {
		for n := 0; ; n++ {
			if err := AddToFile(to, one(os.Getenv("PROFILE_TEST_NAME"), n)); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println("added", n)
		}
	}
	path := filepath.Join(t.TempDir(), "c.out")
	want := New()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 6 {
		name := "process" + strconv.Itoa(i)
		cmd := exec.Command(os.Args[0], "-test.run=^TestAddToFileKilled$")
		cmd.Env = append(os.Environ(), "PROFILE_TEST_ADD="+path, "PROFILE_TEST_NAME="+name)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer cmd.Wait()
			added := 0
			for lines := bufio.NewScanner(out); lines.Scan(); added++ {
				if got := lines.Text(); got != fmt.Sprint("added ", added) {
					t.Error(got)
				}
				mu.Lock()
				want.Merge(one(name, added))
				mu.Unlock()
				if added == 5+3*i {
					cmd.Process.Kill() // wherever in the next call it is
				}
			}
		})
	}
	wg.Wait()
	got, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if rows := len(want.rows()); rows < 6*5 || merged(got, want).String() != got.String() {
		t.Errorf("of %d rows that were added some are not in the file:\n%s", rows, got)
	}
	if err := AddToFile(path, one("after", 1)); err != nil {
		t.Error(err)
	}
}
