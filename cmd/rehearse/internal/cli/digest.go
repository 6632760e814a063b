package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// digested is what the go command says of a package that a digest is made of.
type digested struct {
	ImportPath, Dir string
	Standard        bool
	ForTest         string
	Module          *struct {
		Path, Version string
		Main          bool
		Replace       *struct{ Version string }
	}
	GoFiles, CgoFiles, CFiles, CXXFiles, HFiles, SFiles, SysoFiles, EmbedFiles []string
}

// digestOf is a digest of all that a test binary is made of: the version of Go, and the files of its packages. Those of
// modules from elsewhere are known by their version. It is the same on every machine, wherever the sources lie.
func digestOf(dir string, flags []string) (string, error) {
	args := slices.Concat([]string{"list", "-deps", "-test",
		"-json=ImportPath,Dir,Standard,ForTest,Module,GoFiles,CgoFiles," +
			"CFiles,CXXFiles,HFiles,SFiles,SysoFiles,EmbedFiles"}, listFlags(flags), []string{"."})
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %s", strings.TrimSpace(stderr.String()+" "+err.Error()))
	}
	version, err := goVersion(dir)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, version, flags)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p digested
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return hex.EncodeToString(h.Sum(nil))[:12], nil
		} else if err != nil {
			return "", fmt.Errorf("go list: %w", err)
		}
		if err := p.add(h); err != nil {
			return "", err
		}
	}
}

// listFlags are those flags of go test that decide which files there are. The value of one may be a word of its own.
func listFlags(flags []string) (list []string) {
	for i, f := range flags {
		if !strings.HasPrefix(f, "-") {
			continue // the value of another one
		}
		name, _, valued := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch name {
		case "race", "msan", "asan":
			list = append(list, f)
		case "tags", "mod", "modfile":
			if list = append(list, f); !valued && i+1 < len(flags) {
				list = append(list, flags[i+1])
			}
		}
	}
	return list
}

func goVersion(dir string) (string, error) {
	cmd := exec.Command("go", "env", "GOVERSION")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// add writes a package to a digest.
func (p *digested) add(h io.Writer) error {
	if p.Standard || strings.HasSuffix(p.ImportPath, ".test") {
		return nil // the version of Go says it; the main function is made of the rest
	}
	fmt.Fprintln(h, p.ImportPath)
	if m := p.Module; m != nil && !m.Main {
		version := m.Version
		if m.Replace != nil {
			version = m.Replace.Version
		}
		if version != "" {
			fmt.Fprintln(h, m.Path, version)
			return nil
		}
	}
	files := slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.HFiles, p.SFiles, p.SysoFiles, p.EmbedFiles)
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintln(h, name, len(b))
		h.Write(b)
	}
	return nil
}
