package reverse

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
)

// TestCounts: whoever changes a count says why.
func TestCounts(t *testing.T) {
	toy.CheckCounts(t, newSearch, `
quiescent: 354 0 354 890 34, 310 0 310 778 34, 283 0 283 663 34, 309 0 309 726 34, 189 0 189 470 32
async: 264 0 264 690 24, 254 0 254 687 24, 249 0 249 656 24, 296 0 296 991 24, 252 0 252 1025 24
dense: 477 0 477 1000 6, 373 0 373 878 7, 357 0 357 806 7, 443 2 443 892 6, 308 0 308 716 5
answers: 194 0 194 743 16, 169 0 169 667 16, 160 0 160 627 17, 288 0 288 671 16, 132 0 132 659 17
effects: 380 0 380 1182 34, 265 0 265 823 35, 260 0 260 775 35, 370 0 370 1008 31, 232 0 232 762 33
crash-losing: 231 0 231 385 7, 194 0 194 365 7, 182 0 182 348 7, 181 0 181 275 3, 182 0 182 286 5
crash: 303 0 303 582 5, 240 0 240 527 7, 230 0 230 510 7, 238 0 238 437 2, 175 0 175 317 4
restart: 411 0 411 857 3, 395 0 395 818 4, 374 0 374 771 4, 428 0 428 700 2, 349 0 349 719 3
drop: 335 0 335 938 8, 198 0 198 697 0, 184 0 184 643 0, 336 0 336 1324 0, 174 0 174 873 5
all: 259 0 259 249 0, 204 0 204 144 0, 204 0 204 144 0, 216 0 216 140 0, 204 0 204 144 0
`)
}

// TestEstimates: what an estimate is worth package estimate checks.
func TestEstimates(t *testing.T) { toy.CheckEstimates(t, newSearch, "932, none 34 times") }
