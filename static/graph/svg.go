package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// patience is how long Graphviz may take. It is done with hundreds of actors in seconds.
const patience = time.Minute

// writeSVG lets the Graphviz of the system draw the picture. It is not linked: a command that most graphs do not need
// would make every build larger.
func writeSVG(d Document) ([]byte, error) {
	path, err := exec.LookPath("dot")
	if err != nil {
		return nil, errors.New("SVG is drawn by Graphviz, whose command `dot` was not found on PATH: install it " +
			"(apt-get install graphviz, dnf install graphviz, brew install graphviz, winget install Graphviz.Graphviz), " +
			"or use -format mermaid or -format dot, which need nothing")
	}
	source, err := writeDOT(d)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-Tsvg")
	cmd.WaitDelay = time.Second // a child of a child may keep the pipes open
	var out, problems bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(source), &out, &problems
	err = cmd.Run()
	said := oneLine(problems.String())
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s did not finish within %s: use -format dot and another layout, such as `sfdp -Tsvg`", path,
			patience)
	case err != nil:
		return nil, fmt.Errorf("%s failed: %w: %s", path, err, said)
	case !strings.HasSuffix(strings.TrimSpace(out.String()), "</svg>"):
		return nil, fmt.Errorf("%s gave no complete SVG (%d bytes): %s", path, out.Len(), said)
	}
	return out.Bytes(), nil
}
