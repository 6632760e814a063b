package target

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Uncovered lists the blocks that a Go coverage profile says were not executed. Where several runs are merged in it,
// none must have executed them.
func (l *Lister) Uncovered(profile io.Reader) ([]*Listed, error) { return l.profiled(profile, false) }

// Executed lists the blocks that a Go coverage profile says were executed. Of blocks of test files, which profiles do
// not count, nothing is said.
func (l *Lister) Executed(profile io.Reader) ([]*Listed, error) { return l.profiled(profile, true) }

func (l *Lister) profiled(profile io.Reader, executed bool) ([]*Listed, error) {
	counts, err := parseProfile(profile)
	if err != nil {
		return nil, err
	}
	spans := map[string][]span{} // by absolute name
	known := false
	for s, hit := range counts {
		if name, lines := l.fileNamed(s.file); name != "" {
			if known = true; s.toLine > lines {
				return nil, fmt.Errorf("the coverage profile has line %d of %s, which has %d lines: it is of another version; make it again", s.toLine, s.file, lines)
			}
			if hit == executed {
				spans[name] = append(spans[name], s)
			}
		}
	}
	if !known && len(counts) > 0 {
		return nil, fmt.Errorf("the coverage profile is of none of the packages that were read: make it of them, with go test -coverpkg if their tests are elsewhere")
	}
	return l.within(spans), nil
}

// span is a part of a file, by lines and columns. An end in column 0 is that of its line.
type span struct {
	file                             string
	fromLine, fromCol, toLine, toCol int
}

func (s span) holds(p token.Position) bool {
	after := p.Line > s.fromLine || p.Line == s.fromLine && p.Column >= s.fromCol
	return after && (p.Line < s.toLine || p.Line == s.toLine && (s.toCol == 0 || p.Column < s.toCol))
}

// parseProfile reads a profile: whether each of its blocks was executed.
func parseProfile(profile io.Reader) (map[span]bool, error) {
	counts := map[span]bool{}
	scan := bufio.NewScanner(profile)
	for n := 1; scan.Scan(); n++ {
		line := scan.Text()
		if n == 1 {
			if !strings.HasPrefix(line, "mode: ") {
				return nil, fmt.Errorf("this is no coverage profile: it begins with %.40q, want \"mode: set\"; go test -coverprofile makes one", line)
			}
			continue
		}
		var s span
		var statements, count int
		at := strings.LastIndexByte(line, ':')
		if at < 0 {
			return nil, fmt.Errorf("line %d of the coverage profile is %.60q: want file.go:line.column,line.column statements count", n, line)
		}
		if _, err := fmt.Sscanf(line[at+1:], "%d.%d,%d.%d %d %d", &s.fromLine, &s.fromCol, &s.toLine, &s.toCol, &statements,
			&count); err != nil {
			return nil, fmt.Errorf("line %d of the coverage profile is %.60q: want file.go:line.column,line.column statements count", n, line)
		}
		s.file = line[:at]
		counts[s] = counts[s] || count > 0
	}
	if err := scan.Err(); err != nil {
		return nil, err
	}
	if len(counts) == 0 {
		return nil, fmt.Errorf("the coverage profile has no blocks")
	}
	return counts, nil
}

// fileNamed gives the file of a profile, which names it by its package's path, and how many lines it has. It gives ""
// if the file is not of the packages that were asked for.
func (l *Lister) fileNamed(name string) (at string, lines int) {
	for _, pkg := range l.loaded.Packages {
		if !pkg.Root || pkg.PkgPath != name[:max(0, strings.LastIndexByte(name, '/'))] {
			continue
		}
		for _, f := range pkg.Syntax {
			if at := l.loaded.Fset.Position(f.Package).Filename; filepath.Base(at) == name[strings.LastIndexByte(name, '/')+1:] {
				return at, l.loaded.Fset.File(f.Package).LineCount()
			}
		}
	}
	return "", 0
}

// within lists the blocks that begin in one of the spans of their file.
func (l *Lister) within(spans map[string][]span) (list []*Listed) {
	for _, t := range l.Blocks() {
		for _, s := range spans[t.Place.Filename] {
			if s.holds(t.Place) {
				list = append(list, t)
				break
			}
		}
	}
	return list
}

// Changed lists the blocks with lines that differ from a revision of git, those of new files among them.
func (l *Lister) Changed(ctx context.Context, revision string) ([]*Listed, error) {
	if strings.HasPrefix(revision, "-") {
		return nil, fmt.Errorf("%q is no revision of git: name a branch or a commit, as in HEAD~1", revision)
	}
	top, err := l.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root := strings.TrimSpace(string(top))
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	diff, err := l.git(ctx, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/",
		revision, "--", ":(top)*.go")
	if err != nil {
		return nil, err
	}
	spans, err := parseDiff(diff)
	if err != nil {
		return nil, err
	}
	added, err := l.git(ctx, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":(top)*.go")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(added), "\x00"), "\x00") {
		if name != "" {
			spans[name] = []span{{fromLine: 1, toLine: 1 << 30}}
		}
	}
	return l.touched(root, spans), nil
}

// git runs git in the folder of the program.
func (l *Lister) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = l.loaded.Dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		text, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if text == "" {
			text = err.Error()
		}
		return nil, fmt.Errorf("git %s in %s: %s", args[0], l.loaded.Dir, text)
	}
	return out, nil
}

// parseDiff gives the lines of the new files that a diff without context changes.
func parseDiff(diff []byte) (map[string][]span, error) {
	spans, file := map[string][]span{}, ""
	for line := range strings.Lines(string(diff)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "+++ "):
			file = strings.TrimPrefix(line[4:], "b/")
			if unquoted, err := strconv.Unquote(line[4:]); err == nil {
				file = strings.TrimPrefix(unquoted, "b/")
			}
			file = strings.TrimSuffix(file, "\t")
		case strings.HasPrefix(line, "@@ "):
			from, n, err := hunk(line)
			if err != nil {
				return nil, err
			}
			if n > 0 { // else lines were only taken away
				spans[file] = append(spans[file], span{fromLine: from, toLine: from + n - 1})
			}
		}
	}
	return spans, nil
}

// hunk gives the first line and the number of lines of the new file, as in "@@ -10,2 +12,3 @@".
func hunk(line string) (from, n int, err error) {
	_, rest, _ := strings.Cut(line, " +")
	at, _, _ := strings.Cut(rest, " ")
	first, count, several := strings.Cut(at, ",")
	n = 1
	if from, err = strconv.Atoi(first); err == nil && several {
		n, err = strconv.Atoi(count)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("git diff said %q: want @@ -line,count +line,count @@", line)
	}
	return from, n, nil
}

// touched lists the blocks with an instruction on one of the lines. Files are named from the root of the repository.
func (l *Lister) touched(root string, spans map[string][]span) (list []*Listed) {
	for _, t := range l.Blocks() {
		for _, in := range t.Block.Instrs {
			at := l.loaded.Fset.Position(in.Pos())
			if in.Pos().IsValid() && l.changed(root, spans, at) {
				list = append(list, t)
				break
			}
		}
	}
	return list
}

func (l *Lister) changed(root string, spans map[string][]span, at token.Position) bool {
	name := at.Filename
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return false
	}
	for _, s := range spans[filepath.ToSlash(rel)] {
		if s.holds(at) {
			return true
		}
	}
	return false
}
