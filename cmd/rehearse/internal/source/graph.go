package source

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/static/chain"
	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/graph"
)

var graphCommand = cli.Command{
	Name: "graph", Args: "[flags] PKG...   |   graph [flags] FILE.json   |   graph -chains [flags] FROM TO PKG...",
	Short: "draw who creates whom and who sends what to whom, from the source",
	Long: `Graph reads packages (patterns as for the go command, in the module of the current folder, with their tests) without running them, and
prints their message flow graph: actor types, their handlers, and every place that creates an actor or sends a message. It holds
every edge that an execution can take; where parts of the program are missing, it says that it is partial, and why.

A FILE.json that an earlier run wrote takes the place of packages.

With -findings it also lists, with file:line: requests that can wait for each other (request-cycle), sends to receivers without a
branch for them (unhandled-send), and actors, messages and handlers that nothing leads to (unused-actor, unsent-message,
unused-handler). Pictures show them in red. The exit code is 1 if there are any.

With -chains it prints how handler FROM may lead to handler TO: chains of sends, and under how many conditions each is. A handler is
ACTOR:MESSAGE as the graph names them, ACTOR for all of its handlers, or environment for the driver.

With -compare it prints the size of the graph of each PKG and the seconds it takes, with all three precisions, and how many handlers branch on the
type of the message.
`,
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		g := &graphRun{format: graph.Text, precision: flow.Instances, tests: true}
		fs.Func("format", "`how` to print: text, dot (Graphviz), json, mermaid, svg, which needs Graphviz; with -findings "+
			"also github (annotations) or sarif (default: text)",
			func(s string) (err error) {
				if g.service = ""; s == cli.FormatGitHub || s == cli.FormatSARIF {
					g.service = s
					return nil
				}
				if g.format, err = graph.ParseFormat(s); err != nil {
					err = fmt.Errorf("%w, or of github, sarif with -findings", err)
				}
				return err
			})
		fs.Func("precision", "`what` the analysis tells apart: instances (each handler by itself), branches (the paper's), "+
			"baseline (nothing) (default: instances)", func(s string) error {
			if !slices.Contains(precisions[:], s) {
				return fmt.Errorf("want one of %s", strings.Join(precisions[:], ", "))
			}
			g.precision = s
			return nil
		})
		fs.StringVar(&g.out, "o", "", "write to this `file`, not to the standard output")
		fs.BoolVar(&g.findings, "findings", false, "list what looks wrong")
		fs.Func("receptionist", "the actors that the environment may send any message that they handle: `types` with "+
			"commas (default: those that the driver sends to)", g.addReceptionists)
		fs.BoolVar(&g.compare, "compare", false, "compare the three precisions; formats: text, json")
		fs.StringVar(&g.drivers, "drivers", "", "of -compare: read these `packages` too, whose tests make the actors; "+
			"only what is in a PKG counts")
		fs.BoolVar(&g.chains, "chains", false, "print how handler FROM may lead to handler TO; formats: text, json")
		fs.BoolVar(&g.tests, "tests", true,
			"read test files too: they drive most actor systems; -tests=false leaves them out")
		return g.run
	},
}

// graphRun is one `rehearse graph`.
type graphRun struct {
	format        graph.Format
	service       string // a format for findings alone: github or sarif; "": none
	precision     string
	out           string
	findings      bool
	receptionists []string
	compare       bool
	drivers       string // of compare: packages that make what the others have
	chains        bool
	tests         bool
	from, to      string // of chains
}

// precisions are those of package flow, from the least precise.
var precisions = [...]string{flow.Baseline, flow.Branches, flow.Instances}

// maxChains bounds what -chains prints.
const maxChains = 100

// addReceptionists splits at commas outside of brackets, since arguments of generic types have commas too.
func (g *graphRun) addReceptionists(list string) error {
	depth, start := 0, 0
	for i, r := range list + "," {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ',' && depth <= 0:
			name := strings.TrimSpace(list[start:i])
			if name == "" {
				return errors.New("want types with commas between them, such as bank.Client,bank.Teller")
			}
			g.receptionists = append(g.receptionists, name)
			start = i + 1
		}
	}
	return nil
}

func (g *graphRun) run(s cli.Streams, a cli.Arguments) int {
	packages := a.Operands
	if g.chains && len(packages) >= 2 {
		g.from, g.to, packages = packages[0], packages[1], packages[2:]
	}
	if err := g.check(a, packages); err != nil {
		return cli.Usage(s, "graph", err)
	}
	code, err := g.do(s, packages)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse graph:", err)
		return cli.ExitError
	}
	return code
}

// check finds wrong usage.
func (g *graphRun) check(a cli.Arguments, packages []string) error {
	file := slices.ContainsFunc(packages, isGraphFile)
	switch {
	case len(a.Rest) > 0:
		return fmt.Errorf("unexpected %q behind --: it takes nothing there", a.Rest)
	case g.chains && (g.to == "" || len(packages) == 0):
		return errors.New("-chains wants FROM and TO before the packages: `rehearse graph -chains bank.Client " +
			"bank.Server:bank.Withdraw ./bank`")
	case g.service != "" && !g.findings:
		return fmt.Errorf("-format %s is for findings: give -findings, too", g.service)
	case g.service == cli.FormatGitHub && g.out != "":
		return errors.New("-format github: github reads the standard output: leave -o away")
	case len(packages) == 0:
		return errors.New("no package given: name at least one, such as ./... for all of the module")
	case file && (len(packages) > 1 || g.compare || len(g.receptionists) > 0):
		return errors.New("a graph that was written before stands alone: no other operands, -compare or -receptionist")
	case g.drivers != "" && !g.compare:
		return errors.New("-drivers is for -compare: else name these packages beside the others")
	case g.compare && (g.findings || g.chains):
		return errors.New("-compare prints sizes only: leave -findings and -chains away")
	case g.chains && g.findings:
		return errors.New("-chains and -findings are two questions: ask one at a time")
	case (g.chains || g.findings) && g.precision != flow.Instances:
		return fmt.Errorf("-chains and -findings need to know which handler sends what: want -precision %s", flow.Instances)
	case (g.compare || g.chains) && g.format != graph.Text && g.format != graph.JSON:
		return fmt.Errorf("-compare and -chains have no picture: want -format text or json, not %s", g.format)
	}
	return nil
}

// isGraphFile tells a file from a package.
func isGraphFile(operand string) bool { return strings.HasSuffix(operand, ".json") }

func (g *graphRun) do(s cli.Streams, packages []string) (int, error) {
	if err := command.PlaceFor(g.out); err != nil {
		return cli.ExitError, err
	}
	if g.compare {
		return cli.ExitOK, g.compareAll(s, packages)
	}
	mfg, err := g.graph(packages)
	if err != nil {
		return cli.ExitError, err
	}
	d := graph.Document{Graph: mfg}
	if g.findings {
		d.Findings = finding.Of(mfg)
	}
	if g.chains {
		if d.Chains, err = g.between(mfg); err != nil {
			return cli.ExitError, err
		}
	}
	if g.service != "" {
		return g.serve(s, d)
	}
	data, err := graph.Render(d, g.format)
	if err != nil {
		return cli.ExitError, err
	}
	if err := g.write(s, data); err != nil {
		return cli.ExitError, err
	}
	return g.judge(s, d), nil
}

// graph reads one that was written before, or analyses packages.
func (g *graphRun) graph(packages []string) (*flow.Graph, error) {
	if !isGraphFile(packages[0]) {
		p, err := g.load(packages)
		if err != nil {
			return nil, err
		}
		mfg, err := g.analyse(p, g.precision)
		if err == nil {
			flow.AddUnspawned(p, mfg)
		}
		return mfg, err
	}
	data, err := files.Read(packages[0])
	if err != nil {
		return nil, err
	}
	mfg, err := graph.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", packages[0], err)
	}
	if (g.chains || g.findings) && mfg.Precision != flow.Instances {
		return nil, fmt.Errorf("%s: written with -precision %s, which does not tell what handler sends what: write it "+
			"again with -precision %s",
			packages[0], mfg.Precision, flow.Instances)
	}
	return mfg, nil
}

// between finds the chains from all handlers that FROM means to all that TO means.
func (g *graphRun) between(mfg *flow.Graph) (*graph.Chains, error) {
	facts := chain.Of(mfg)
	from, err := facts.Find(g.from)
	if err != nil {
		return nil, err
	}
	to, err := facts.Find(g.to)
	if err != nil {
		return nil, err
	}
	c := &graph.Chains{From: from, To: to, All: true}
	for _, f := range from {
		for _, t := range to {
			found, all := facts.Between(f, t, maxChains-len(c.Found))
			c.Found, c.All = append(c.Found, found...), c.All && all
		}
	}
	return c, nil
}

// judge says on the error stream what the output may not be trusted in, and whether something was found. The text says
// both itself, unless it goes to a file.
func (g *graphRun) judge(s cli.Streams, d graph.Document) int {
	if g.format != graph.Text || g.out != "" {
		g.tellPartial(s, d)
	}
	if d.Findings == nil || len(d.Findings.Findings) == 0 {
		return cli.ExitOK
	}
	if g.format != graph.Text || g.out != "" {
		for _, f := range d.Findings.Findings {
			fmt.Fprintln(s.Err, f)
		}
	}
	return cli.ExitFound
}

// tellPartial says on the error stream that parts of the program are missing.
func (g *graphRun) tellPartial(s cli.Streams, d graph.Document) {
	if n := len(d.Graph.Partial); n > 0 {
		fmt.Fprintf(s.Err, "rehearse graph: the graph is partial, for reasons that it lists; the first of %d: %s\n",
			n, d.Graph.Partial[0])
	}
}

// write puts all of the output into the file, or leaves the file as it was.
func (g *graphRun) write(s cli.Streams, data []byte) error {
	if g.out == "" {
		_, err := s.Out.Write(data)
		return err
	}
	if err := files.WriteBytes(g.out, data); err != nil {
		return fmt.Errorf("write the graph: %w", err)
	}
	return nil
}
