package published

import (
	"fmt"
	"strings"
)

// claim is a line of status.csv.
type claim struct {
	patterns [4]string // table, subject, run, column
	status   Status
	reason   string
}

func readClaims() ([]claim, error) {
	all, err := records("status.csv")
	if err != nil {
		return nil, err
	}
	var claims []claim
	for i, r := range all[1:] {
		c := claim{patterns: [4]string(r[:4]), status: Status(r[4]), reason: r[5]}
		switch c.status {
		case Exact, Differs, Resource:
		default:
			return nil, fmt.Errorf("published/status.csv, row %d: status %q: want exact, differs or resource", i+1, r[4])
		}
		if (c.status == Differs) != (c.reason != "") {
			return nil, fmt.Errorf("published/status.csv, row %d: a reason is for cells that differ, and they need one", i+1)
		}
		claims = append(claims, c)
	}
	return claims, nil
}

// claimAll gives every cell of the row the status of the first line that fits.
func claimAll(claims []claim, r *Row) error {
	for i := range r.Cells {
		cell := &r.Cells[i]
		for _, c := range claims {
			if c.fits(r, cell.Column) {
				cell.Status, cell.Reason = c.status, c.reason
				break
			}
		}
		if cell.Status == "" {
			return fmt.Errorf("published/status.csv has no line for %s of %s %s in table %s", cell.Column,
				r.Subject, r.Run(), r.Table)
		}
	}
	return nil
}

func (c claim) fits(r *Row, column string) bool {
	for i, text := range []string{r.Table, r.Subject, r.Run(), column} {
		if !glob(c.patterns[i], text) {
			return false
		}
	}
	return true
}

// glob matches a text with a pattern in which * stands for any text, the empty one too.
func glob(pattern, text string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	rest, ok := strings.CutPrefix(text, head)
	for ; ok; rest = rest[1:] {
		if glob(tail, rest) {
			return true
		}
		if rest == "" {
			break
		}
	}
	return false
}
