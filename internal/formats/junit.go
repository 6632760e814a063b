package formats

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Suite is the tests of one package.
type Suite struct {
	Name  string
	Tests []Test
	Time  float64 // seconds
}

// Test is one test, and how it ended.
type Test struct {
	Name    string
	Time    float64 // seconds
	Failed  bool
	Broken  bool // it could not run, or did not come to its end
	Skipped bool
	Kind    string // of what was found, "" if that is not known
	Message string // one line
	Output  string // all of it
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Classname string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	Failure   *junitOutcome `xml:"failure,omitempty"`
	Error     *junitOutcome `xml:"error,omitempty"`
	Skipped   *junitOutcome `xml:"skipped,omitempty"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes suites as JUnit XML, as Jenkins, GitLab and others read it.
func JUnit(w io.Writer, suites []Suite) error {
	var all junitSuites
	sum := 0.0
	for i := range suites {
		s := junitOf(&suites[i])
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
		all.Skipped += s.Skipped
		all.Suites = append(all.Suites, s)
		sum += suites[i].Time
	}
	all.Time = seconds(sum)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitOf(s *Suite) junitSuite {
	out := junitSuite{Name: oneLine(s.Name), Tests: len(s.Tests), Time: seconds(s.Time)}
	for i := range s.Tests {
		t := &s.Tests[i]
		c := junitCase{Name: oneLine(t.Name), Classname: out.Name, Time: seconds(t.Time)}
		outcome := &junitOutcome{Type: oneLine(t.Kind), Message: oneLine(t.Message), Text: text(t.Output)}
		switch {
		case t.Broken:
			c.Error = outcome
			out.Errors++
		case t.Failed:
			c.Failure = outcome
			out.Failures++
		case t.Skipped:
			c.Skipped = outcome
			out.Skipped++
		default:
			c.Output = text(t.Output)
		}
		out.Cases = append(out.Cases, c)
	}
	return out
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
