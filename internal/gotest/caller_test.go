package gotest

import (
	"testing"
)

func TestPackageOf(t *testing.T) {
	for function, want := range map[string]string{
		"example.com/bank.TestX":              "example.com/bank",
		"example.com/bank_test.TestX.func1":   "example.com/bank",
		"example.com/a%2eb/bank.(*suite).Run": "example.com/a.b/bank",
		"example.com/x/a%2eb.TestX":           "example.com/x/a.b",
		"main.main":                           "main",
		"command-line-arguments_test.TestX":   "command-line-arguments",
		"github.com/x/y/v2.Test[...].func2.1": "github.com/x/y/v2",
	} {
		if got := PackageOf(function); got != want {
			t.Errorf("%s: %s, want %s", function, got, want)
		}
	}
	if got := PackageOf(Outermost()); got != "github.com/rehearse-go/rehearse/internal/gotest" {
		t.Errorf("this package is %s", got)
	}
}
