package cli

import (
	"errors"
	"flag"
	"math"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/scale/internal/bundle"
)

// parseSize reads a size such as 500MiB, 3GiB or 1000, which is bytes.
func parseSize(s string) (int64, error) {
	digits, unit := s, int64(1)
	for suffix, of := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if d, ok := strings.CutSuffix(s, suffix); ok {
			digits, unit = d, of
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return 0, errors.New("want a size such as 500MiB or 3GiB")
	}
	return n * unit, nil
}

func declareLimit(fs *flag.FlagSet, l *bundle.Limits) {
	size(fs, "limit", "refuse a job whose files have more than this `size`, such as 500MiB; default: 2GiB", &l.Total)
}

// size is a flag for a number of bytes.
func size(fs *flag.FlagSet, name, doc string, to *int64) {
	fs.Func(name, doc, func(s string) (err error) {
		*to, err = parseSize(s)
		return err
	})
}

// list is a flag that may be repeated.
func list(fs *flag.FlagSet, name, doc string, to *[]string, check func(string) error) {
	fs.Func(name, doc, func(s string) error {
		if err := check(s); err != nil {
			return err
		}
		*to = append(*to, s)
		return nil
	})
}
