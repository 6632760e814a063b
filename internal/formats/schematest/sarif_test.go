package schematest

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"github.com/rehearse-go/rehearse/internal/formats"
)

// holder has the schema of OASIS in its source, as a constant that is not exported.
const holder = "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

// schema reads the schema of SARIF 2.1.0 from the source of the package that has it. The import keeps its module
// required.
func schema(t *testing.T) *gojsonschema.Schema {
	t.Helper()
	_ = sarif.NewReport()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", holder).Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Names[0].Name == "schema" {
			if text, err = strconv.Unquote(v.Values[0].(*ast.BasicLit).Value); err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	if !strings.Contains(text, "(SARIF) Version 2.1.0") {
		t.Fatal("no schema of SARIF 2.1.0 in " + holder)
	}
	s, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(s *gojsonschema.Schema, document []byte) error {
	result, err := s.Validate(gojsonschema.NewBytesLoader(document))
	if err != nil {
		return err
	}
	for _, e := range result.Errors() {
		return errors.New(e.String())
	}
	return nil
}

func TestSARIFIsValid(t *testing.T) {
	s := schema(t)
	hostile := []string{"plain", "", "<script>", "a\nb\x00\u202e", "\xff", "%2e%2e/..//x y?#z", "a:b",
		"C:\\x", strings.Repeat("x", 70_000)}
	var fs []formats.Finding
	for i, x := range hostile {
		fs = append(fs, formats.Finding{Rule: "rule" + x, Level: []string{formats.Error, formats.Warning, formats.Note}[i%3],
			Title: x, Message: x, File: x, Line: i, Column: i / 2, Key: x})
	}
	for name, c := range map[string]struct {
		rules    []formats.Rule
		findings []formats.Finding
		unseen   []string
	}{
		"nothing":  {},
		"rules":    {rules: []formats.Rule{{Name: "lock", Doc: "locks"}}},
		"findings": {[]formats.Rule{{Name: "rule", Doc: "all"}, {Name: "ruleplain"}}, fs, nil},
		"unseen":   {unseen: hostile},
	} {
		var b bytes.Buffer
		if err := formats.SARIF(&b, "rehearse vet", "v1.2.3", c.rules, c.findings, c.unseen...); err != nil {
			t.Fatal(err)
		}
		if err := validate(s, b.Bytes()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The validator refuses what is wrong: else the test above says nothing.
func TestValidator(t *testing.T) {
	s := schema(t)
	var b bytes.Buffer
	one := []formats.Finding{{Rule: "r", Level: formats.Error, Message: "m", File: "f", Line: 1}}
	if err := formats.SARIF(&b, "x", "", nil, one); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"level": "error"`, `"level": "fatal"`}, {`"startLine": 1`, `"startLine": 0`},
		{`"version": "2.1.0"`, `"version": "2.0"`},
		{`"ruleIndex": 0`, `"ruleIndex": -2`}, {`"ruleIndex"`, `"ruleNumber"`},
	} {
		broken := bytes.Replace(b.Bytes(), []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(broken, b.Bytes()) || validate(s, broken) == nil {
			t.Errorf("with %s it is valid", change[1])
		}
	}
}
