package published

// TAPRow is a row of table 3 of [TAP18], section 7.2: how many targets each setting covers.
type TAPRow struct {
	Subjects string `json:"subjects"`
	Targets  int    `json:"targets"`           // 0: the settings have seconds a target, on average
	Settings [5]int `json:"covered,omitempty"` // Random, H1, H2, H1+H2, H+F
}

// TAPRows reads table 3 of [TAP18]: seven rows of subjects, their sum, and seconds. An error means that a file of the
// project is damaged.
func TAPRows() ([]TAPRow, error) {
	const file = "tap.csv"
	all, err := records(file)
	if err != nil {
		return nil, err
	}
	var rows []TAPRow
	for i, r := range all[1:] {
		c := cells{file: file, row: i + 1}
		row := TAPRow{Subjects: r[0], Targets: c.number(r[1])}
		for k := range row.Settings {
			row.Settings[k] = c.number(r[2+k])
		}
		if rows = append(rows, row); c.err != nil {
			return nil, c.err
		}
	}
	return rows, nil
}
