package streams

import (
	"context"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// A stream that cannot be made for want of a store is tried again for some time, and what is wrong for good is not.
func TestMadeAgain(t *testing.T) {
	t.Parallel()
	store := &jetstream.APIError{Code: 500, ErrorCode: codeStreamCreate, Description: "error creating store for stream"}
	other := &jetstream.APIError{Code: 400, ErrorCode: codeWantsMaxBytes}
	for _, tt := range []struct {
		errs  []error
		want  error
		tries int
	}{
		{[]error{nil}, nil, 1},
		{[]error{store, store, nil}, nil, 3},
		{[]error{store, other, nil}, other, 2},
		{[]error{store, store, store, store, store, store}, store, noStore},
	} {
		tries := 0
		err := making(t.Context(), func(context.Context) error {
			tries++
			return tt.errs[tries-1]
		})
		if err != tt.want || tries != tt.tries {
			t.Errorf("%v: %v after %d attempts", tt.errs, err, tries)
		}
	}
	if text := (names{job: "job"}).plain("making it", store).Error(); !strings.Contains(text, "look at its log") {
		t.Errorf("%s: does not say what to do", text)
	}
}
