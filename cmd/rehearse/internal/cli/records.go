package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/record"
)

// reportFile is a file for the records of one run, with the function that removes it.
func reportFile() (path string, remove func(), err error) {
	dir, remove, err := files.TempFolder("rehearse-run")
	if err != nil {
		return "", nil, fmt.Errorf("cannot make a place for the results: %w", err)
	}
	return filepath.Join(dir, "records.jsonl"), remove, nil
}

// keepReport appends the records of this run to the file that the user asked for, if any.
func keepReport(from, to string) error {
	if to == "" {
		return nil
	}
	data, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// readRecords reads what the Checks of a run appended; no file: no Check ran.
func readRecords(path string) ([]record.Record, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var rs []record.Record
	lines := bufio.NewReader(bytes.NewReader(data))
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return rs, nil
		}
		var r record.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s line %d: not a record: %w; is a test writing to REHEARSE_REPORT?", path, n, err)
		}
		if r.Version != record.Version {
			return nil, fmt.Errorf("%s line %d: record version %d, this command reads %d: install the rehearse command of the "+
				"version that the test uses",
				path, n, r.Version, record.Version)
		}
		rs = append(rs, r)
	}
}

// writeJSON writes the records, one a line.
func writeJSON(w io.Writer, rs []record.Record) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range rs {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}
