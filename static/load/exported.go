package load

import (
	"cmp"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// longest is how long the names of packages may be together for one command line: some systems have little room.
const longest = 16 << 10

// exported gives the sizes of types, and the files with the export data of packages. It asks the go command once, where packages.Load asks three times: for the
// version of Go and the architecture, too. It does not answer where anything is out of the ordinary, which packages.Load knows how to tell.
func (c Config) exported(paths []string) (types.Sizes, map[string]string, bool) {
	if len(c.Overlay) > 0 || len(strings.Join(paths, " ")) > longest || c.otherDriver() {
		return nil, nil, false
	}
	args := slices.Concat([]string{"list", "-export", "-buildvcs=false", "-pgo=off", "-f", "{{context.Compiler}}\t{{context.GOARCH}}\t{{.ImportPath}}\t{{.Export}}"}, c.buildFlags(),
		[]string{"--", "unsafe"}, paths)
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, false
	}
	var sizes types.Sizes
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			return nil, nil, false
		}
		sizes, files[fields[2]] = types.SizesFor(fields[0], fields[1]), fields[3]
	}
	return sizes, files, sizes != nil && !slices.ContainsFunc(paths, func(path string) bool { return !filepath.IsAbs(files[path]) })
}

// buildFlags gives the build flags of the go command.
func (c Config) buildFlags() []string {
	if len(c.Tags) == 0 {
		return c.Flags
	}
	return append(slices.Clone(c.Flags), "-tags="+strings.Join(c.Tags, ","))
}

// otherDriver reports whether packages.Load asks something else than the go command.
func (c Config) otherDriver() bool {
	name := os.Getenv("GOPACKAGESDRIVER")
	for _, v := range c.Env { // the last one counts
		if value, ok := strings.CutPrefix(v, "GOPACKAGESDRIVER="); ok {
			name = value
		}
	}
	_, err := exec.LookPath(cmp.Or(name, "gopackagesdriver"))
	return name != "off" && (name != "" || err == nil)
}
