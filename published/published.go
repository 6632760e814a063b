// Package published holds the tables of the papers as data: what was counted, what each column means, and which cells
// we claim to reproduce. The facts are in the CSV files beside this one, whose heads say where they come from; rehearse
// reproduce compares them with counts of our own.
package published

import (
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed *.csv
var files embed.FS

// Status is what we claim of a cell.
type Status string

const (
	Exact    Status = "exact"    // ours equals it
	Differs  Status = "differs"  // ours is known not to
	Resource Status = "resource" // time or memory of another machine
)

// Row is one exploration that a table tells of. Of the keys, those that the table does not have are empty.
type Row struct {
	Table     string // "3.1", "3.2", "3.3", "4.1", "4.2", or "classes", which is ours
	Subject   string // program, as the table calls it
	Reduction string // none, jpf, actor, dcute/LCA, dcute, persistent, ...
	Language  string // library that the subject was written for
	Step      string // big or little
	Order     string // of actors
	Model     string // delivery model; empty means bag
	Cells     []Cell
}

// Cell is a number of a table.
type Cell struct {
	Column string
	Value  int
	Status Status
	Reason string // why it differs
}

// source is a file with one or more tables. keys are its columns that name the exploration, after table and subject.
type source struct {
	file string
	keys []string
}

var sources = []source{
	{"basset_3_1_3_2.csv", []string{"reduction", "language"}},
	{"basset_3_3.csv", []string{"language", "step"}},
	{"basset_4_1.csv", []string{"order", "reduction"}},
	{"basset_4_2.csv", []string{"order", "reduction"}},
	{"classes.csv", []string{"model"}},
}

// Run is the other keys of the row, as the file of statuses has them.
func (r *Row) Run() string {
	var keys []string
	for _, k := range r.keys() {
		keys = append(keys, *r.key(k))
	}
	return strings.Join(keys, " ")
}

func (r *Row) keys() []string {
	switch r.Table {
	case "3.1", "3.2":
		return sources[0].keys
	case "3.3":
		return sources[1].keys
	case "classes":
		return sources[4].keys
	}
	return sources[2].keys
}

func (r *Row) key(name string) *string {
	switch name {
	case "table":
		return &r.Table
	case "subject":
		return &r.Subject
	case "reduction":
		return &r.Reduction
	case "language":
		return &r.Language
	case "step":
		return &r.Step
	case "order":
		return &r.Order
	case "model":
		return &r.Model
	}
	return nil
}

// Tables lists the names of the tables in their order.
func Tables() []string { return []string{"3.1", "3.2", "3.3", "4.1", "4.2", "classes"} }

// Rows reads all tables, in the order of Tables and of their files. An error means that a file of the project is
// damaged.
func Rows() ([]Row, error) {
	claims, err := readClaims()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, s := range sources {
		more, err := s.read(claims)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// records reads a CSV file; the first record is its head.
func records(name string) ([][]string, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	all, err := r.ReadAll()
	if err == nil && len(all) < 2 {
		err = fmt.Errorf("it has no rows")
	}
	if err != nil {
		return nil, fmt.Errorf("published/%s: %w", name, err)
	}
	return all, nil
}

func (s source) read(claims []claim) ([]Row, error) {
	all, err := records(s.file)
	if err != nil {
		return nil, err
	}
	head, rows := all[0], []Row(nil)
	for i, record := range all[1:] {
		r := Row{}
		for c, column := range head {
			if k := r.key(column); k != nil {
				*k = record[c]
				continue
			}
			v, err := strconv.Atoi(record[c])
			if err != nil {
				return nil, fmt.Errorf("published/%s, row %d: %s: %w", s.file, i+1, column, err)
			}
			r.Cells = append(r.Cells, Cell{Column: column, Value: v})
		}
		if !slices.Contains(Tables(), r.Table) {
			return nil, fmt.Errorf("published/%s, row %d: table %q: want one of %s", s.file, i+1, r.Table,
				strings.Join(Tables(), ", "))
		}
		if err := claimAll(claims, &r); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}
