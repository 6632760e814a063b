package reverse

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
)

// TestCounts: whoever changes a count says why.
func TestCounts(t *testing.T) {
	toy.CheckCounts(t, newSearch, `
quiescent: 374 0 923 34, 325 0 792 35, 298 0 677 35, 324 0 742 35, 199 0 481 32
async: 294 0 769 24, 284 0 766 24, 279 0 733 24, 316 0 1066 24, 272 0 1104 24
dense: 394 0 800 4, 270 0 668 5, 254 0 613 5, 360 2 737 4, 205 0 544 3
answers: 204 0 783 16, 179 0 707 16, 170 0 667 17, 308 0 722 16, 142 0 718 17
effects: 400 0 1228 34, 275 0 835 35, 270 0 785 35, 396 0 1037 32, 242 0 771 33
faults: 517 0 1428 4, 474 0 1143 0, 418 0 975 0, 449 0 855 0, 429 0 1194 3
losses: 182 0 567 3, 104 0 361 0, 104 0 361 0, 106 0 520 0, 104 0 665 2
ends: 213 0 231 2, 177 0 204 2, 177 0 204 2, 292 0 275 1, 113 0 125 1
`)
}
