package source

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// numbersFlag is a range of integers, written as LEAST..MOST.
type numbersFlag struct{ to **cases.Range }

// String writes the range as Set reads it.
func (f numbersFlag) String() string {
	if f.to == nil || *f.to == nil {
		return ""
	}
	return fmt.Sprintf("%d..%d", (*f.to).Least, (*f.to).Most)
}

// Set fails for what is no range, or an empty one.
func (f numbersFlag) Set(s string) error {
	least, most, ok := strings.Cut(s, "..")
	if !ok {
		return errors.New("want LEAST..MOST, as in -10..10")
	}
	var r cases.Range
	for _, end := range []struct {
		text string
		to   *int64
	}{{least, &r.Least}, {most, &r.Most}} {
		n, err := strconv.ParseInt(end.text, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is no integer of 64 bits: want LEAST..MOST, as in -10..10", end.text)
		}
		*end.to = n
	}
	if r.Least > r.Most {
		return fmt.Errorf("no number is at least %d and at most %d", r.Least, r.Most)
	}
	*f.to = &r
	return nil
}

// stringsFlag is a list of strings, as one record of comma-separated values.
type stringsFlag struct{ to *[]string }

// String writes the list as Set reads it.
func (f stringsFlag) String() string {
	if f.to == nil || *f.to == nil {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	if w.Write(*f.to) != nil { // a strings.Builder takes everything
		return ""
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// Set fails for what is not one record.
func (f stringsFlag) Set(s string) error {
	list, err := csv.NewReader(strings.NewReader(s)).ReadAll()
	if err != nil || len(list) != 1 {
		return errors.New(`want strings with commas between them, as in yes,no or "a,b",c`)
	}
	*f.to = list[0]
	return nil
}
