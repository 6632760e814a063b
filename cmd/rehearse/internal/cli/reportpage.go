package cli

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/trace"
)

//go:embed report.html
var pageSource string

// page is the template of a report. html/template escapes all that comes from the program under test.
var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"visible": trace.Visible,
	"picture": func(f *record.Finding) template.HTML {
		// Its own text is escaped where it is drawn.
		return template.HTML(f.Picture.SVG())
	},
}).Parse(pageSource))

// pageData is what the template shows.
type pageData struct {
	Titles []string
	Checks []pageCheck
}

type pageCheck struct {
	Name     string
	Cells    []string
	Findings []record.Finding
	Limits   []string
	Warnings []string
}

// writePage writes records as one HTML page.
func writePage(w io.Writer, rs []record.Record) error {
	var data pageData
	for _, c := range columns {
		data.Titles = append(data.Titles, c.title)
	}
	for i := range rs {
		c := pageCheck{Name: testName(&rs[i]), Findings: rs[i].Findings, Limits: rs[i].Limits, Warnings: rs[i].Warnings}
		for _, column := range columns {
			c.Cells = append(c.Cells, column.cell(&rs[i]))
		}
		data.Checks = append(data.Checks, c)
	}
	return page.Execute(w, data)
}
