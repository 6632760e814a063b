package published

import "testing"

// The rows of subjects add up to the row of all, and no setting covers more targets than there are.
func TestTAPRows(t *testing.T) {
	rows, err := TAPRows()
	if err != nil {
		t.Fatal(err)
	}
	var sum TAPRow
	for _, r := range rows[:7] {
		sum.Targets += r.Targets
		for k, n := range r.Settings {
			if sum.Settings[k] += n; n > r.Targets {
				t.Errorf("%s: %d of %d targets", r.Subjects, n, r.Targets)
			}
		}
	}
	if total := rows[7]; sum.Targets != total.Targets || sum.Settings != total.Settings || total.Settings[4] != 775 {
		t.Errorf("the rows add up to %v, the table has %v", sum, total)
	}
}
