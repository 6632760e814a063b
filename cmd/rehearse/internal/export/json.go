package export

import (
	"encoding/json"

	"github.com/rehearse-go/rehearse/internal/report"
)

// Version is that of the JSON format. It grows when a reader of the old one would be misled, not when something is
// added.
const Version = 1

type (
	fileJSON struct {
		Version    int             `json:"version"`
		Executions []executionJSON `json:"executions"`
	}
	executionJSON struct {
		Name string `json:"name"`
		*report.Picture
	}
)

func writeJSON(es []Execution) ([]byte, error) {
	f := fileJSON{Version: Version, Executions: []executionJSON{}}
	for _, e := range es {
		f.Executions = append(f.Executions, executionJSON{line(e.Name), e.Picture})
	}
	data, err := json.MarshalIndent(f, "", " ")
	return append(data, '\n'), err
}
