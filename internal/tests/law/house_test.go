package law

import (
	"flag"
	"fmt"
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file: the structure in numbers, of this tree and of others. docs/house.md has the table and says how to make it.

var trees = flag.String("trees", "", "folders of other versions to measure beside this one, with commas between them")

// house is the structure of one version in numbers.
type house struct {
	files, all []*file // of the root module without tests; of all modules
	docs       map[string]string
	root       string
}

func readHouse(root string) (*house, error) {
	all, err := readTreeIn(root)
	if err != nil {
		return nil, err
	}
	docs, err := markdownIn(root)
	if err != nil {
		return nil, err
	}
	h := &house{docs: docs, root: root}
	for _, f := range all {
		if f.test || strings.Contains(f.name, "/testdata/") {
			continue
		}
		h.all = append(h.all, f)
		if isDynamic(f.pkg) {
			h.files = append(h.files, f)
		}
	}
	return h, nil
}

// isDynamic reports whether a package is of the root module, and more than tests and the programs that they run. What
// only commands link is none of the library.
func isDynamic(pkg string) bool {
	elsewhere := regexp.MustCompile(`^(static|symbolic|scale|cmd|examples|savina|subjects|published|adapter/\w+|` +
		`internal/(tests|command|formats/schematest|toy|agree|law|hiddentest|loosetest|reproduce|chance/\w+))(/|$)`)
	return !elsewhere.MatchString(pkg)
}

// algorithms are the packages with algorithms, by their names now and before.
var algorithms = regexp.MustCompile(`^internal/(causal|dpor|reverse|delivery|pool|cover|` +
	`stateful|state|order|selection|baseline)$`)

// matching gives the files of the library whose package has a name that matches.
func (h *house) matching(match func(pkg string) bool) (files []*file) {
	for _, f := range h.files {
		if match(f.pkg) {
			files = append(files, f)
		}
	}
	return files
}

func (h *house) inRoot() []*file { return h.matching(func(pkg string) bool { return pkg == "." }) }

// packages are the packages of some files.
func packages(files []*file) (names []string) {
	for _, f := range files {
		names = append(names, f.pkg)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func lines(files []*file) (n int) {
	for _, f := range files {
		n += f.lines
	}
	return n
}

// largest gives the type with the most methods, and their number.
func largest(files []*file) string {
	count := map[string]int{}
	for _, f := range files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				count[strings.TrimPrefix(f.pkg, "internal/")+"."+receiver(fn)]++
			}
		}
	}
	most := ""
	for name, n := range count {
		if n > count[most] || n == count[most] && name < most {
			most = name
		}
	}
	return fmt.Sprintf("%d (%s)", count[most], most)
}

func receiver(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	if x, ok := t.(*ast.IndexExpr); ok {
		t = x.X
	}
	id, _ := t.(*ast.Ident)
	if id == nil {
		return "?"
	}
	return id.Name
}

// abilities counts the interfaces that a strategy may implement beside explore.Strategy.
func (h *house) abilities() (n int) {
	for _, f := range h.files {
		if f.pkg != "explore" || !regexp.MustCompile(`/(strategy|divide|whole|representative)\.go$`).MatchString(f.name) {
			continue
		}
		ast.Inspect(f.ast, func(x ast.Node) bool {
			if s, ok := x.(*ast.TypeSpec); ok {
				if _, ok := s.Type.(*ast.InterfaceType); ok && s.Name.IsExported() && s.Name.Name != "Strategy" {
					n++
				}
			}
			return true
		})
	}
	return n
}

// branches counts the branches of the reductions on kinds, clock and model, and on choices in steps and faults.
func (h *house) branches() (string, error) {
	kind, choice := 0, 0
	for _, pkg := range packages(h.files) {
		if !regexp.MustCompile(`^internal/(causal|dpor|reverse)$`).MatchString(pkg) {
			continue
		}
		conds, err := conditionsIn(filepath.Join(h.root, pkg))
		if err != nil {
			return "", err
		}
		for _, c := range conds {
			if asksKind.MatchString(c) {
				kind++
			}
			if asksChoice.MatchString(c) {
				choice++
			}
		}
	}
	return fmt.Sprintf("%d and %d", kind, choice), nil
}

// exported counts the names that a package declares for others, without methods and fields.
func (h *house) exported(pkg string) (n int) {
	for _, f := range h.files {
		if f.pkg != pkg {
			continue
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					n++
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					n += exportedIn(s)
				}
			}
		}
	}
	return n
}

func exportedIn(s ast.Spec) (n int) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			n++
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() {
				n++
			}
		}
	}
	return n
}

// comments gives the share of lines that are comments among those that are not empty.
func comments(files []*file) string {
	said, all := 0, 0
	for _, f := range files {
		for line := range strings.Lines(f.source) {
			line = strings.TrimSpace(line)
			if line != "" {
				all++
			}
			if strings.HasPrefix(line, "//") {
				said++
			}
		}
	}
	return fmt.Sprintf("%.0f%%", percent(said, all))
}

func (h *house) prose() (docs, code measured) {
	for name, text := range h.docs {
		docs.judge(name, proseLines(text), markdownSentences(text), breaches{}, breaches{})
	}
	for _, f := range h.all {
		code.judge(f.name, goLines(f.source), commentSentences(f), breaches{}, breaches{})
	}
	return docs, code
}

func (m measured) sentencesText() string {
	return fmt.Sprintf("%.1f, %.1f%%", float64(m.words)/float64(max(m.sentences, 1)), percent(m.long, m.sentences))
}

// row is one line of the table.
type row struct{ what, value string }

// rows measures a house.
func (h *house) rows() ([]row, error) {
	branches, err := h.branches()
	if err != nil {
		return nil, err
	}
	docs, code := h.prose()
	inRoot := h.inRoot()
	number := func(what string, n int) row { return row{what, fmt.Sprint(n)} }
	return []row{
		number("packages of the library", len(packages(h.files))),
		number("its files", len(h.files)),
		number("its lines", lines(h.files)),
		number("lines of all modules", lines(h.all)),
		number("files of the root package", len(inRoot)),
		{"methods of the largest type", largest(h.files)},
		number("what a strategy may implement beside Strategy", h.abilities()),
		{"branches of the reductions: kinds, clock, model; choices, faults", branches},
		number("floors of the imports", floors(h.files)),
		number("references between files of the root package that point up", upward(inRoot)),
		number("files through which a Config goes", carrying(inRoot, "..Config")),
		number("files through which a schedule goes", carrying(h.files, "trace.Schedule")),
		{"comments in packages of algorithms", comments(h.matching(algorithms.MatchString))},
		{"comments in the library", comments(h.files)},
		{"words a sentence in documents; over 30 words", docs.sentencesText()},
		{"words a sentence in doc comments; over 30 words", code.sentencesText()},
		number("lines over 120 columns", docs.wide+code.wide),
		{"exported names of trace, explore and the root", fmt.Sprintf("%d, %d, %d", h.exported("trace"),
			h.exported("explore"), h.exported("."))},
		{"code that stands twice, to the letter; by its shape", fmt.Sprintf("%.2f%%, %.1f%%", repeated(h.files, false),
			repeated(h.files, true))},
	}, nil
}

// Structure may only become simpler: fewer floors, few files that handle schedules, and no references up between the
// root's files. With -v the test prints the table of docs/house.md, with a column for each version that -trees names.
func TestHouse(t *testing.T) {
	const mostFloors, mostCarrying = 7, 8
	h, err := readHouse(root)
	if err != nil {
		t.Fatal(err)
	}
	if n := floors(h.files); n > mostFloors {
		t.Errorf("the imports have %d floors, %d are allowed", n, mostFloors)
	}
	if n := carrying(h.files, "trace.Schedule"); n > mostCarrying {
		t.Errorf("a schedule goes through %d files, %d are allowed: internal/session/schedule.go has what Checks do to one",
			n, mostCarrying)
	}
	if n := upward(h.inRoot()); n > 0 {
		t.Errorf("%d references between files of the root package point up: none is allowed", n)
	}
	if !testing.Verbose() && *trees == "" {
		return
	}
	columns := [][]row{}
	for _, dir := range append(strings.FieldsFunc(*trees, func(r rune) bool { return r == ',' }), root) {
		h, err := readHouse(dir)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := h.rows()
		if err != nil {
			t.Fatal(err)
		}
		columns = append(columns, rows)
	}
	t.Log("\n" + table(columns))
}

// table writes measures as rows of Markdown.
func table(columns [][]row) string {
	var b strings.Builder
	for i := range columns[0] {
		b.WriteString("| " + columns[0][i].what)
		for _, rows := range columns {
			b.WriteString(" | " + rows[i].value)
		}
		b.WriteString(" |\n")
	}
	return b.String()
}
