package cli

import (
	"flag"
	"fmt"
	"slices"
)

// tapFlags are the flags of `rehearse reproduce tap`, which is a matter of the command that reads sources: it knows
// what they mean.
func tapFlags(fs *flag.FlagSet) {
	fs.String("settings", "",
		"tap: only these `settings` of the search, with commas between, of ours, Random, H1, H2, H1+H2, H+F")
	fs.String("model", "", "tap: delivery `model`; default: what the framework of a program does")
	fs.Int("steps", 0, "tap: `number` of steps of the search for one target, and ten times as many for the paper's "+
		"engine, whose steps are statements (default: 400)")
	fs.Int("sample", 0, "tap: take `number` of the targets, spread over the types of actors; default: all")
	fs.Uint64("seed", 0, "tap: `seed` of the sample (default: 1)")
	fs.String("chances", "", "tap: `seeds`, with commas between, of what the paper's settings choose by chance: each is "+
		"a run of its own, of which the table has the mean (default: 1)")
	fs.String("drivers", "", "tap: the packages are one program, whose systems the tests of these `packages` make; "+
		"default: each is a program of its own")
	fs.String("executed", "", "tap: which blocks are executed says this `file`, a coverage profile of go test, "+
		"instead of tests that are run")
	fs.Bool("list", false, "tap: only list the targets, with the type of actor whose code each is")
	fs.String("keep", "", "tap: add results to this `file`, and do not search again for those that are in it: "+
		"a run that was ended goes on where it was")
	fs.String("after", "", "tap: only the targets that ours has left open in this `file` of -keep")
	fs.Bool("tests", true, "tap: run the tests of the packages, to learn which blocks they execute, and which with injected faults only")
}

// ofTAP are their names, bothTAP those of flags that others have, too.
var (
	ofTAP = []string{"settings", "model", "steps", "sample", "seed", "tests", "chances", "drivers", "executed", "list",
		"keep", "after"}
	bothTAP = []string{"counts", "json"}
)

// foreign fails if a flag was set that is not for what is reproduced.
func (r *reproduceRun) foreign(tap bool) (err error) {
	r.flags.Visit(func(f *flag.Flag) {
		switch {
		case tap && !slices.Contains(ofTAP, f.Name) && !slices.Contains(bothTAP, f.Name):
			err = fmt.Errorf("-%s is not for reproduce tap", f.Name)
		case !tap && slices.Contains(ofTAP, f.Name):
			err = fmt.Errorf("-%s is for reproduce tap", f.Name)
		}
	})
	return err
}

// runTAP is `rehearse reproduce tap`.
func (r *reproduceRun) runTAP(s Streams, packages []string) int {
	args := []string{"reproduce"}
	r.flags.Visit(func(f *flag.Flag) { args = append(args, "-"+f.Name+"="+f.Value.String()) })
	return sourceCompanion.do(s, "reproduce", append(append(args, "tap"), packages...))
}
