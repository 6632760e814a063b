package cases_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// reported writes the suites of all targets that a pattern selects.
func reported(t *testing.T, p *cases.Program, pattern string, c cases.Config) (text, js string, list []*cases.Report) {
	t.Helper()
	found, err := p.Select(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var b, j bytes.Buffer
	for _, target := range found {
		s := of(t, p, target, c)
		r := p.Report(s)
		r.Print(&b)
		list = append(list, r)
	}
	if err := cases.WriteJSON(&j, list); err != nil {
		t.Fatal(err)
	}
	return b.String(), j.String(), list
}

// TestReport: findings come first, then what does not fail, then failures from assumed states, then what is not
// covered.
func TestReport(t *testing.T) {
	text, _, _ := reported(t, more(t), "Till.(Take|Never)", cases.Config{Cover: cases.Branches, Assume: []string{"Take.N < 100"}})
	if want := wantReport; strings.TrimSpace(text) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

const wantReport = `
Till.Never (zt.go:47), a native handler: 0 findings, 1 case, 1 failure from an assumed state; complete; blocks 9 of 9, branches 2 of 2
  assuming Take.N < 100
  case t.calls!=nil,t.limit>=10: returned, assuming Take.N < 100
    if         t.calls != nil, t.limit >= 10
    kept       t.calls != nil
    after      t.calls.* = t.calls.* + 1
    example    t.calls!ref = #1, t.calls.* = 0, t.limit = 10
    then       t.calls.* = 1
  state assumed t.calls!=nil,t.limit<10: panicked: panic (zt.go:69), assuming Take.N < 100
    if         t.calls != nil, t.limit < 10
    kept       t.calls != nil
    after      t.calls.* = t.calls.* + 1
    example    t.calls!ref = #1, t.calls.* = 0, t.limit = 0
    then       t.calls.* = 1
    assumed    none of 1 ways to make the actor, with up to 2 messages before, leads to it
  covered: blocks of zt.go:48,50,52,54,58,63,67,68,69
  covered: zt.go:68: t.limit < 10 is true
  covered: zt.go:68: t.limit < 10 is false
  without inputs: fields that keep what constructors give them (1)
Till.Take (zt.go:47), a native handler: 1 finding, 3 cases, 0 failures from an assumed state; complete; blocks 8 of 8, branches 6 of 6
  assuming Take.N < 100
  finding t.calls!=nil,t.limit>=21,t.open,t.sum-msg.N<0: panicked: panic (zt.go:56), assuming Take.N < 100
    if         t.calls != nil, t.open, t.sum - msg.N < 0, t.limit >= 21
    kept       t.calls != nil
    after      t.calls.* = t.calls.* + 1
    made by    NewTill (zt.go:39)
    before     Till.Open, msg1
    example    make1 = 21, msg.N = 1
  case t.calls!=nil,t.limit<21,t.open,t.sum-msg.N<0: returned, assuming Take.N < 100
    if         t.calls != nil, t.open, t.sum - msg.N < 0, t.limit < 21
    kept       t.calls != nil
    after      t.calls.* = t.calls.* + 1
    example    t.calls!ref = #1, msg.N = 0, t.calls.* = 0, t.limit = 0, t.open = true, t.sum = -1
    then       t.calls.* = 1
  case t.calls!=nil,t.open,t.sum-msg.N>=0: returned, assuming Take.N < 100
    if         t.calls != nil, t.open, t.sum - msg.N >= 0
    kept       t.calls != nil
    after      t.calls.* = t.calls.* + 1
    example    t.calls!ref = #1, msg.N = 0, t.calls.* = 0, t.open = true, t.sum = 0
    then       t.calls.* = 1
  case !t.open,t.calls!=nil: returned, assuming Take.N < 100
    if         t.calls != nil, !t.open
    kept       t.calls != nil
    after      t.calls.* = t.calls.* + 1
    example    t.calls!ref = #1, msg.N = 0, t.calls.* = 0, t.open = false
    then       t.calls.* = 1
  covered: blocks of zt.go:48,49,50,52,54,55,56
  covered: zt.go:55: t.open is true
  covered: zt.go:55: t.open is false
  covered: zt.go:55: t.sum - m.N < 0 is true
  covered: zt.go:55: t.sum - m.N < 0 is false
  covered: zt.go:55: t.limit > 20 is true
  covered: zt.go:55: t.limit > 20 is false
  without inputs: fields that keep what constructors give them (1)
`

// TestReportDeterministic: two programs that were read alike have the same reports, and JSON keeps all of them.
func TestReportDeterministic(t *testing.T) {
	config := cases.Config{Elements: 1, Before: 1}
	text, js, list := reported(t, more(t), "Till|Shop", config)
	again, js2, _ := reported(t, more(t), "Till|Shop", config)
	if text != again || js != js2 {
		t.Error("two reports of one program differ")
	}
	var back []*cases.Report
	if err := json.Unmarshal([]byte(js), &back); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, r := range back {
		r.Print(&b)
	}
	if b.String() != text || len(back) != len(list) {
		t.Error("JSON does not keep the reports")
	}
}
