// Package overlay makes a standard library in which what Go itself chooses has numbers: where a loop over a map begins,
// which case a select takes, which goroutine goes on. The go command compiles tests with it (go help build, -overlay).
// It is made from the Go installation of the user by the edits of edits.go, and lies in the user's cache. Nothing in
// the installation is written.
//
//	source:     docs/decisions/0028-numbered-choices.md
//	assumes:    the patched declarations are those of a version that was tested (verified.go); any other is refused
//	invariants: V1 a folder of the cache is complete or absent: it is made under another name, and renamed
//	checked by: patch_test.go on made-up sources, overlay_test.go on the installed ones and on tests that are built with
//	            it
package overlay

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Go is an installation, as `go env` tells.
type Go struct {
	Root     string // GOROOT
	Version  string // GOVERSION, as in go1.26.8
	ModCache string // GOMODCACHE
}

// Made is an overlay, and what go commands need to use it.
type Made struct {
	File string // for the flag -overlay
	Root string // GOROOT for the go command; it differs from Go.Root where overlays of that are not allowed
}

// Make gives the overlay of an installation below the folder cache, where it lies already or is made. An error says
// which version of Go it is, and what about it is not as expected.
func Make(g Go, cache string) (Made, error) {
	if err := supported(g.Version); err != nil {
		return Made{}, err
	}
	p, err := patch(g.Version, filepath.Join(g.Root, "src"), edits)
	if err != nil {
		return Made{}, err
	}
	if err := verify(g.Version, p.hash); err != nil {
		return Made{}, err
	}
	for name := range added {
		p.files[name] = own(name)
	}
	m := Made{Root: g.Root}
	if within(g.Root, g.ModCache) {
		if m.Root, err = linked(g, cache); err != nil {
			return Made{}, err
		}
	}
	m.File, err = write(cache, g.Version, m.Root, p.files)
	return m, err
}

// within reports whether path lies in folder.
func within(path, folder string) bool {
	if folder == "" {
		return false
	}
	rel, err := filepath.Rel(resolved(folder), resolved(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolved is path without symbolic links, where it can be told.
func resolved(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// linked makes a symbolic link to a toolchain that lies in the module cache. The go command allows no overlays of files
// there, and does not look where links lead.
func linked(g Go, cache string) (string, error) {
	sum := sha256.Sum256([]byte(g.Root))
	link := filepath.Join(cache, "goroot-"+g.Version+"-"+hex.EncodeToString(sum[:4]))
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return "", err
	}
	if at, err := os.Readlink(link); err == nil && at == g.Root {
		return link, nil
	}
	if err := os.Symlink(g.Root, link); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return link, nil
}

// write writes the files and the overlay's description, unless they are there, and gives the name of the latter.
func write(cache, version, root string, files map[string][]byte) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, version, root)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(files[name]), files[name])
	}
	folder := filepath.Join(cache, "overlay-"+version+"-"+hex.EncodeToString(sum.Sum(nil))[:16])
	description := filepath.Join(folder, "overlay.json")
	if _, err := os.Stat(description); err == nil {
		return description, nil
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return "", err
	}
	making, err := os.MkdirTemp(cache, "making-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making)
	replace := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		flat := strings.ReplaceAll(name, "/", "_")
		if err := os.WriteFile(filepath.Join(making, flat), files[name], 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(root, "src", filepath.FromSlash(name))] = filepath.Join(folder, flat)
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(making, "overlay.json"), text, 0o666); err != nil {
		return "", err
	}
	if err := os.Rename(making, folder); err != nil {
		// Another command has made it in the meantime.
		if _, stat := os.Stat(description); stat != nil {
			return "", err
		}
	}
	return description, nil
}
