package cli

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// Of long output both ends are kept, in whole runes, and what is left out is counted. Short output stays as it is.
func TestKeptOutput(t *testing.T) {
	for _, size := range []int{0, 1, maxOutput / 2, maxOutput/2 + 1, maxOutput - 2, 3 * maxOutput, 10*maxOutput + 1} {
		for _, piece := range []string{"x", "é", "日本\n", "a👩b", strings.Repeat("ü", maxOutput), "\x80\x80\x80"} {
			all := strings.Repeat(piece, size/len(piece)+1)
			var k keptOutput
			for i := 0; i < len(all); i += max(len(piece), 999*len(piece)) {
				k.add(all[i:min(len(all), i+999*len(piece))])
			}
			got := k.String()
			head, rest, cut := strings.Cut(got, "\n... ")
			if !cut {
				if got != all || len(all) > maxOutput {
					t.Errorf("%d bytes of %.9q become %d", len(all), piece, len(got))
				}
				continue
			}
			number, end, _ := strings.Cut(rest, " bytes left out ...\n")
			if !strings.HasPrefix(all, head) || !strings.HasSuffix(all, end) || len(got) > maxOutput+50 ||
				number != fmt.Sprint(len(all)-len(head)-len(end)) || utf8.ValidString(all) && !utf8.ValidString(got) {
				t.Errorf("%d bytes of %.9q: %d bytes, %s left out, %d bytes", len(all), piece, len(head), number, len(end))
			}
		}
	}
}
