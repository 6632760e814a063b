package published

// APETRow is an exploration of a handler for test cases, by [aPET13]. apet.csv says what each column means.
type APETRow struct {
	Program  string `json:"program"`
	Actor    string `json:"actor"`
	Message  string `json:"message"`
	Loops    int    `json:"loops"`
	Switches int    `json:"switches"`
	Await    string `json:"await"`
	Policy   string `json:"policy"`
	Queue    int    `json:"queue"`
	Pruning  int    `json:"pruning"`
	Place    string `json:"section,omitempty"` // that prints Cases, "" if the number is ours
	Cases    int    `json:"cases"`
}

// APETRows reads the counts of [aPET13], sections 2.1 and 2.2. An error means that a file of the project is damaged.
func APETRows() ([]APETRow, error) {
	const file = "apet.csv"
	all, err := records(file)
	if err != nil {
		return nil, err
	}
	var rows []APETRow
	for i, r := range all[1:] {
		c := cells{file: file, row: i + 1}
		rows = append(rows, APETRow{Program: r[0], Actor: r[1], Message: r[2], Loops: c.number(r[3]),
			Switches: c.number(r[4]), Await: r[5], Policy: r[6],
			Queue: c.number(r[7]), Pruning: c.number(r[8]), Place: r[9], Cases: c.number(r[10])})
		if c.err != nil {
			return nil, c.err
		}
	}
	return rows, nil
}
