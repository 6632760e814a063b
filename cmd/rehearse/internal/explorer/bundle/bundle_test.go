package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestBundle: the script that is committed is the one that its source makes.
func TestBundle(t *testing.T) {
	made, err := script()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(page(), "app.js"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, kept) {
		t.Error("page/app.js is not made of page/src: run go run ./cmd/rehearse/internal/explorer/bundle")
	}
}
