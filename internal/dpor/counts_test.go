package dpor

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// Whoever changes a count says why. A class that is lost shows in a test against the twin.
func TestSourceCounts(t *testing.T) {
	toy.CheckCounts(t, newSource, `
quiescent: 354 0 354 818 38, 310 0 310 720 38, 283 0 283 613 38, 309 0 309 678 38, 189 0 189 451 39
async: 267 18 267 716 27, 254 18 254 700 27, 247 18 247 670 27, 296 1 296 847 28, 245 10 245 955 28
dense: 470 7 430 864 10, 371 2 352 825 12, 355 2 336 785 12, 439 3 439 826 10, 301 12 251 685 12
answers: 190 13 190 733 24, 165 13 165 657 24, 157 13 157 619 24, 273 1 273 558 23, 126 0 126 600 24
effects: 403 8 402 1237 38, 287 6 285 880 39, 282 5 280 825 39, 369 4 369 960 37, 232 5 232 798 39
crash-losing: 257 7 234 331 9, 205 5 182 269 10, 193 3 170 258 10, 217 18 144 305 10, 188 9 170 275 10
crash: 288 22 278 407 8, 232 12 222 393 10, 228 13 218 389 10, 257 7 214 393 9, 169 15 159 271 10
restart: 391 27 376 625 4, 363 32 348 625 5, 360 11 345 611 6, 428 0 428 569 3, 344 3 321 576 6
drop: 335 3 335 826 9, 200 3 200 596 11, 187 1 187 550 11, 327 2 327 894 9, 171 1 171 675 11
all: 259 0 259 160 1, 204 0 204 124 4, 204 0 204 124 4, 256 3 218 153 1, 204 0 204 124 4
`)
}

func TestOptimalCounts(t *testing.T) {
	toy.CheckCounts(t, newOptimal, `
quiescent: 354 0 354 835 38, 310 0 310 738 38, 283 0 283 620 38, 309 0 309 679 38, 189 0 189 456 39
async: 279 0 279 697 27, 266 0 266 678 27, 259 0 259 651 27, 296 0 296 844 28, 249 0 249 999 28
dense: 477 0 477 940 10, 372 0 372 868 12, 356 0 356 822 12, 442 0 442 831 10, 312 0 312 811 12
answers: 199 0 199 711 24, 174 0 174 635 24, 166 0 166 599 24, 274 0 274 551 23, 126 0 126 582 24
effects: 402 0 402 1205 38, 285 0 285 866 39, 280 0 280 814 39, 370 0 370 905 37, 232 0 232 785 39
crash-losing: 247 0 247 328 11, 193 0 193 263 11, 181 0 181 255 11, 187 0 187 280 10, 184 0 184 277 10
crash: 307 0 307 418 8, 241 0 241 414 10, 234 0 234 400 11, 248 0 248 391 10, 179 0 179 279 0
restart: 394 0 394 621 5, 375 0 375 645 6, 363 0 363 628 6, 428 0 428 609 3, 347 0 347 625 0
drop: 335 0 335 837 9, 200 0 200 605 11, 187 0 187 558 11, 327 0 327 834 9, 171 0 171 616 11
all: 259 0 259 166 0, 204 0 204 124 0, 204 0 204 124 0, 230 0 230 157 0, 204 0 204 124 0
`)
}

// TestEstimates: the sum of what is estimated after each execution of small programs, and how often nothing is. What an
// estimate is worth package estimate checks.
func TestEstimates(t *testing.T) {
	for _, tt := range []struct {
		s    func() explore.Strategy
		want string
	}{{newSource, "838, none 34 times"}, {newOptimal, "995, none 34 times"}} {
		sum, none := 0.0, 0
		for seed := range uint64(12) {
			s := tt.s()
			o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Budget: explore.Budget{Executions: 40},
				After: func(*explore.Counters, *trace.Trace) {
					if e := explore.ReportOf(s).Estimate; e.Known() {
						sum += e.Total
					} else {
						none++
					}
				}}
			if _, err := explore.Run(toy.NewSystem(toy.Random(20_000+seed, toy.Full)), s, o); err != nil {
				t.Fatal(err)
			}
		}
		if got := fmt.Sprintf("%.0f, none %d times", sum, none); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.s().Name(), got, tt.want)
		}
	}
}
