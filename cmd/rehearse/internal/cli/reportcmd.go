package cli

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/record"
)

// defaultReport is where `rehearse report` writes, in the current directory.
const defaultReport = "rehearse-report.html"

var reportCommand = Command{
	Name: "report", Args: "[flags] [packages] [-- flags of go test]",
	Short: "run tests and write what they found as one HTML page with pictures",
	Long: `Report runs the tests as rehearse test does, with the same flags, and then writes one HTML page: what each Check
explored, and for each finding what went wrong, which order decides, the execution as a space-time diagram, its steps
one by one, and how to replay it. Findings that their tests expect are among them.

The page loads nothing: it opens offline, and can be attached to a bug report. With -svg each picture is a file too.
What the program under test calls its actors and messages is text in it, and nothing else.

The exit code is that of rehearse test: a finding fails.`,
	Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
		r := &reportRun{}
		r.declare(fs)
		fs.StringVar(&r.out, "o", defaultReport, "write the page to this `file`")
		fs.StringVar(&r.pictures, "svg", "", "also write each picture to this `folder`, as PACKAGE.TEST-NUMBER.svg")
		return r.run
	},
}

// reportRun is one `rehearse report`.
type reportRun struct {
	testRun
	out, pictures string
}

func (r *reportRun) run(s Streams, a Arguments) int {
	code, err := r.write(s, a)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse report:", err)
		return ExitError
	}
	return code
}

func (r *reportRun) write(s Streams, a Arguments) (int, error) {
	if err := files.InFolder(r.out); err != nil {
		return ExitError, fmt.Errorf("-o %w", err)
	}
	if r.pictures != "" {
		if err := os.MkdirAll(r.pictures, 0o777); err != nil {
			return ExitError, fmt.Errorf("-svg: %w", err)
		}
	}
	code, rs, err := r.do(s, a)
	if err != nil {
		return ExitError, err
	}
	if len(rs) == 0 {
		return max(code, ExitError), fmt.Errorf("%s is not written: no Check came to its end", r.out)
	}
	if err := files.Write(r.out, func(w io.Writer) error { return writePage(w, rs) }); err != nil {
		return ExitError, err
	}
	fmt.Fprintf(s.Err, "rehearse: the report is in %s\n", r.out)
	return code, r.writePictures(rs)
}

// writePictures writes a file for each finding that has a picture.
func (r *reportRun) writePictures(rs []record.Record) error {
	if r.pictures == "" {
		return nil
	}
	number := map[string]int{}
	for i := range rs {
		for _, f := range pictured(&rs[i]) {
			name := fileName(testName(&rs[i]))
			number[name]++
			path := filepath.Join(r.pictures, fmt.Sprintf("%s-%d.svg", name, number[name]))
			if err := files.WriteBytes(path, []byte(f.Picture.SVG())); err != nil {
				return err
			}
		}
	}
	return nil
}

// pictured are the findings of a Check that have a picture.
func pictured(r *record.Record) []record.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f record.Finding) bool { return f.Picture == nil })
}

// fileName makes of a name one that each file system takes.
func fileName(name string) string {
	b := []byte(name)
	for i, c := range b {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_') {
			b[i] = '_'
		}
	}
	return string(b)
}
