package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/export"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/record"
)

// reportName is where `rehearse report` writes, in the current directory, before the suffix of the format.
const reportName = "rehearse-report"

// htmlFormat is the page. Other formats are those of package export.
const htmlFormat = "html"

var reportCommand = Command{
	Name: "report", Args: "[flags] [packages] [-- flags of go test]",
	Short: "run tests and write what they found as one HTML page with pictures",
	Long: `Report runs the tests as rehearse test does, with the same flags, and then writes one HTML page. For each
finding it has what went wrong, which order decides, the execution as a space-time diagram, its steps one by one with
the states of actors, the order that passes beside it, who can send what to whom, and how to replay it. Then it has what
each Check explored, and which orders were seen. Findings that their tests expect are among them.

The page loads nothing: it opens offline, and can be attached to a bug report. With -svg each picture is a file too.
What the program under test calls its actors and messages is text in it, and nothing else.

Other formats are for other programs. They hold the executions of all findings, svg that of one:

` + formatsDoc() + `
The exit code is that of rehearse test: a finding fails. Without any, the file holds no execution; one of svg or mermaid
is not written.`,
	Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
		r := &reportRun{}
		r.declare(fs)
		fs.StringVar(&r.out, "o", "", "write to this `file`; its suffix is the format (default "+reportName+".html)")
		fs.StringVar(&r.format, "format", "", "`how` to write, whatever the file is called: "+
			strings.Join(formatNames(), ", "))
		fs.StringVar(&r.pictures, "svg", "", "also write each picture to this `folder`, as PACKAGE.TEST-NUMBER.svg")
		fs.BoolVar(&r.whole, "whole", false, "draw long executions with all their steps: else quiet stretches are folded")
		fs.BoolVar(&r.flow, "flow", true, "add who can send what to whom, from the source; -flow=false leaves it out")
		return r.run
	},
}

func formatNames() []string { return append([]string{htmlFormat}, export.Names()...) }

// formatsDoc is the table of the other formats.
func formatsDoc() string {
	var b strings.Builder
	for _, f := range export.Formats() {
		fmt.Fprintf(&b, "  %-8s %-8s %s\n", f.Name, f.Suffix, f.Doc)
	}
	return b.String()
}

// reportRun is one `rehearse report`.
type reportRun struct {
	testRun
	out, format, pictures string
	whole, flow           bool
}

func (r *reportRun) run(s Streams, a Arguments) int {
	if err := r.choose(); err != nil {
		return Usage(s, "report", err)
	}
	code, err := r.write(s, a)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse report:", err)
		return ExitError
	}
	return code
}

// choose finds the format and the file, each by the other where only one is given.
func (r *reportRun) choose() error {
	suffix := strings.ToLower(filepath.Ext(r.out))
	if r.format == "" {
		f, ok := export.ForFile(r.out)
		switch {
		case ok:
			r.format = f.Name
		case suffix == "" || suffix == ".html" || suffix == ".htm":
			r.format = htmlFormat
		default:
			return fmt.Errorf("-o %s: no format has the suffix %s: choose one with -format: %s", r.out, suffix,
				strings.Join(formatNames(), ", "))
		}
	}
	ending := ".html"
	if f, ok := export.Named(r.format); ok {
		ending = f.Suffix
	} else if r.format != htmlFormat {
		return fmt.Errorf("-format %q: want one of %s", r.format, strings.Join(formatNames(), ", "))
	}
	if r.out == "" {
		r.out = reportName + ending
	}
	return nil
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
	r.orders = r.format == htmlFormat
	code, rs, err := r.do(s, a)
	if err != nil {
		return ExitError, err
	}
	if len(rs) == 0 {
		return max(code, ExitError), fmt.Errorf("%s is not written: no Check came to its end", r.out)
	}
	es := executions(rs, r.whole)
	if f, ok := export.Named(r.format); ok && len(es) == 0 && f.Single {
		fmt.Fprintf(s.Err, "rehearse: %s is not written: no finding has an execution, and %s is a picture of one\n", r.out,
			r.format)
		return code, nil
	}
	data, err := r.render(s, rs, es)
	if err != nil {
		return ExitError, fmt.Errorf("%s is not written: %w", r.out, err)
	}
	if err := files.WriteBytes(r.out, data); err != nil {
		return ExitError, err
	}
	fmt.Fprintf(s.Err, "rehearse: the report is in %s\n", r.out)
	return code, r.writePictures(es)
}

// render gives what is to be in the file.
func (r *reportRun) render(s Streams, rs []record.Record, es []export.Execution) ([]byte, error) {
	if r.format == htmlFormat {
		d := record.Document{Records: rs}
		if r.flow {
			d.Flow = newFlows(s).of
		}
		return record.HTML(&d), nil
	}
	f, _ := export.Named(r.format)
	data, err := f.Write(es)
	if err != nil {
		return nil, fmt.Errorf("%w: choose one with -run, or have -svg FOLDER write a picture of each", err)
	}
	return data, nil
}

// executions are those of all findings that have one, under their names.
func executions(rs []record.Record, whole bool) (es []export.Execution) {
	number := map[string]int{}
	for i := range rs {
		for j := range rs[i].Findings {
			f := &rs[i].Findings[j]
			if f.Picture == nil {
				continue
			}
			f.Picture.Whole = whole
			name := fileName(rs[i].Name())
			number[name]++
			name = fmt.Sprintf("%s-%d", name, number[name])
			es = append(es, export.Execution{Name: name, Picture: f.Picture})
		}
	}
	return es
}

// writePictures writes a file for each finding that has a picture.
func (r *reportRun) writePictures(es []export.Execution) error {
	if r.pictures == "" {
		return nil
	}
	for _, e := range es {
		if err := files.WriteBytes(filepath.Join(r.pictures, e.Name+".svg"), []byte(e.Picture.SVG())); err != nil {
			return err
		}
	}
	return nil
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
