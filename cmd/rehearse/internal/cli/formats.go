package cli

import (
	"cmp"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/formats"
)

// The formats that -format takes beside those that a command has alone.
const (
	FormatText   = "text"
	FormatJSON   = "json"
	FormatGitHub = "github"
	FormatSARIF  = "sarif"
	FormatJUnit  = "junit"
)

// Output is one -format: how to write, and the file, "" for the standard output.
type Output struct{ Format, File string }

// Outputs are those of a command, as its flags say.
type Outputs struct {
	all     []Output
	allowed []string
}

// Declare makes the flag -format, which takes one of these formats and may be repeated.
func (o *Outputs) Declare(fs *flag.FlagSet, allowed ...string) {
	o.allowed = allowed
	fs.Func("format", "`how` to write what was found: "+strings.Join(allowed, ", ")+"; a file may follow, as in "+
		allowed[len(allowed)-1]+"=FILE, and the flag may be repeated (default: text)", o.Add)
}

// Add takes what is given to the flag.
func (o *Outputs) Add(s string) error {
	format, file, named := strings.Cut(s, "=")
	if !slices.Contains(o.allowed, format) {
		return fmt.Errorf("want one of %s, and a file behind =", strings.Join(o.allowed, ", "))
	}
	if named && file == "" {
		return errors.New("no file behind =")
	}
	if named && format == FormatGitHub {
		return errors.New("github reads its standard output: no file")
	}
	if file == "" && slices.ContainsFunc(o.all, func(p Output) bool { return p.File == "" }) {
		return errors.New("two formats for the standard output: name a file for one, as in " + format + "=FILE")
	}
	o.all = append(o.all, Output{format, file})
	return nil
}

// Check says that a file cannot be written before anything is done that takes time.
func (o *Outputs) Check() error {
	for _, p := range o.all {
		if p.File != "" {
			if err := files.InFolder(p.File); err != nil {
				return fmt.Errorf("-format %s=%w", p.Format, err)
			}
		}
	}
	return nil
}

// Standard is the format of the standard output.
func (o *Outputs) Standard() string {
	for _, p := range o.all {
		if p.File == "" {
			return p.Format
		}
	}
	return FormatText
}

// Wants reports whether a format was asked for.
func (o *Outputs) Wants(format string) bool {
	return o.Standard() == format || slices.ContainsFunc(o.all, func(p Output) bool { return p.Format == format })
}

// Write writes a format to wherever it was asked for.
func (o *Outputs) Write(out io.Writer, format string, write func(io.Writer) error) error {
	if o.Standard() == format {
		if err := write(out); err != nil {
			return err
		}
	}
	for _, p := range o.all {
		if p.Format == format && p.File != "" {
			if err := files.Write(p.File, write); err != nil {
				return fmt.Errorf("-format %s=%s: %w", p.Format, p.File, err)
			}
		}
	}
	return nil
}

// Guard keeps GitHub from taking for commands what others write to w, until end is called.
func Guard(w io.Writer) (end func()) {
	token := "rehearse-" + rand.Text()
	io.WriteString(w, formats.StopCommands(token))
	return func() { io.WriteString(w, "\n"+formats.ResumeCommands(token)) }
}

// maxSummary is how much GitHub takes of the summary of a step, in bytes, with some room.
const maxSummary = 1000 << 10

// AddSummary appends parts in Markdown to the summary of the step of GitHub Actions, if there is one: as many as there
// is room for.
func AddSummary(parts ...string) error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	room := maxSummary
	if info, err := f.Stat(); err == nil {
		room -= int(info.Size())
	}
	for i, p := range parts {
		if len(p) > room {
			p = fmt.Sprintf("\n%d more parts have no room here.\n", len(parts)-i)
			parts = nil
		}
		room -= len(p)
		if _, err := io.WriteString(f, p); err != nil {
			return errors.Join(err, f.Close())
		}
		if parts == nil {
			break
		}
	}
	return f.Close()
}

// SummaryOfFindings is a table of findings in Markdown.
func SummaryOfFindings(title string, fs []formats.Finding) string {
	var rows [][]string
	for i := range fs {
		at := fs[i].File
		if fs[i].Line > 0 {
			at += fmt.Sprintf(":%d", fs[i].Line)
		}
		rows = append(rows, []string{at, fs[i].Rule, fs[i].Message})
	}
	head := "## " + formats.Markdown(title) + ": " + counted(len(fs), "finding") + "\n\n"
	if len(rows) == 0 {
		return head
	}
	return head + formats.Table([]string{"place", "what", "text"}, rows) + "\n"
}

// RepositoryPath is how services name a file: relative to the root of the repository that is checked out, with slashes.
// Without a service the root is the current folder. What is elsewhere stays absolute.
func RepositoryPath(file string) string {
	root := os.Getenv("GITHUB_WORKSPACE")
	if root == "" {
		root, _ = os.Getwd()
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	for _, root := range []string{root, resolved(root)} {
		if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(file)
}

// resolved is a folder without symbolic links on the way to it, as go list names it.
func resolved(dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir
	}
	return real
}

// InCharacters turns a column in bytes into one in characters, 0 where the line cannot be read.
func InCharacters(file string, line, column int) int {
	data, err := files.Read(file)
	if err != nil || line < 1 || column < 1 {
		return 0
	}
	lines := strings.SplitN(string(data), "\n", line+1)
	if len(lines) < line || column-1 > len(lines[line-1]) {
		return 0
	}
	return utf8.RuneCountInString(lines[line-1][:column-1]) + 1
}

// Version is that of the command, "" where it is not known.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return strings.Trim(cmp.Or(info.Main.Version, ""), "()")
	}
	return ""
}
