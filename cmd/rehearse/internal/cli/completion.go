package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/render"
)

// This file writes scripts by which shells complete command lines of rehearse. All that is in them comes from the table
// of commands and from the flags that these declare.

// shells are those that there are scripts for.
func shells() map[string]func([]command.Described) string {
	return map[string]func([]command.Described) string{"bash": bashCompletion, "zsh": zshCompletion,
		"fish": fishCompletion}
}

// shellNames lists them.
func shellNames() []string {
	var names []string
	for name := range shells() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// completionCommand is a function because it lists the commands, itself among them.
func completionCommand() Command {
	return Command{
		Name: "completion", Args: strings.Join(shellNames(), " | "),
		Short: "print a script by which a shell completes command lines",
		Long: `Completion prints a script that has a shell complete the names of commands and of their flags.

  bash: source <(rehearse completion bash)       in ~/.bashrc
  zsh:  source <(rehearse completion zsh)        in ~/.zshrc, behind compinit
  fish: rehearse completion fish | source        in ~/.config/fish/config.fish
`,
		Setup: func(*flag.FlagSet) func(Streams, Arguments) int { return runCompletion },
	}
}

func runCompletion(s Streams, a Arguments) int {
	if len(a.Operands) != 1 || shells()[a.Operands[0]] == nil {
		return Usage(s, "completion", fmt.Errorf("want one shell, one of %s", strings.Join(shellNames(), ", ")))
	}
	all, err := describeEverything(s)
	if err != nil {
		fmt.Fprintf(s.Err, "rehearse completion: some flags are left out: %v\n", err)
	}
	fmt.Fprint(s.Out, shells()[a.Operands[0]](all))
	return ExitOK
}

// describeEverything asks companions what flags their commands have. Without them these have none. One that is not
// there and takes long to build is not asked: a shell reads this when it starts.
func describeEverything(s Streams) ([]command.Described, error) {
	all := command.Describe(commands())
	var errs []error
	for _, c := range companions {
		if c.asks || c.isThere() {
			errs = append(errs, c.describe(s, all))
		}
	}
	return all, errors.Join(errs...)
}

// describe adds the flags of its commands.
func (c *companion) describe(s Streams, all []command.Described) error {
	var out bytes.Buffer
	if _, err := c.run("", Streams{Out: &out, Err: s.Err}, []string{command.DescribeAll}); err != nil {
		return err
	}
	var theirs []command.Described
	if err := json.Unmarshal(out.Bytes(), &theirs); err != nil {
		return err
	}
	for i := range all {
		for _, d := range theirs {
			if d.Name == all[i].Name && len(all[i].Flags) == 0 {
				all[i].Flags = d.Flags
			}
		}
	}
	return nil
}

// flagNames are the flags of a command, as they are typed.
func flagNames(d *command.Described) string {
	var names []string
	for _, f := range d.Flags {
		names = append(names, "-"+f.Name)
	}
	return strings.Join(names, " ")
}

func commandNames(all []command.Described) string {
	var names []string
	for _, d := range all {
		names = append(names, d.Name)
	}
	return strings.Join(names, " ")
}

func bashCompletion(all []command.Described) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# bash completion of rehearse: source <(rehearse completion bash)
_rehearse() {
	local cur=${COMP_WORDS[COMP_CWORD]} command= flags= operands= i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--) return ;; # what follows is for another command
		-*) ;;
		*) command=${command:-${COMP_WORDS[i]}} ;;
		esac
	done
	case $command in
	'') operands=%s ;;
	help) operands=%[1]s ;;
	completion) operands=%[2]s ;;
`, render.ShellWord(commandNames(all)), render.ShellWord(strings.Join(shellNames(), " ")))
	for _, d := range all {
		if len(d.Flags) > 0 {
			fmt.Fprintf(&b, "\t%s) flags=%s ;;\n", d.Name, render.ShellWord(flagNames(&d)))
		}
	}
	b.WriteString(`	esac
	COMPREPLY=()
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$cur"))
	elif [[ -n $operands ]]; then
		COMPREPLY=($(compgen -W "$operands" -- "$cur"))
	fi
}
complete -o default -F _rehearse rehearse
`)
	return b.String()
}

func zshCompletion(all []command.Described) string {
	// In a specification brackets and colons mean something, in a description of a command colons do.
	spec := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace
	var b strings.Builder
	b.WriteString("#compdef rehearse\n# zsh completion of rehearse: source <(rehearse completion zsh)\n_rehearse() {\n" +
		"\tlocal -a commands=(\n")
	for _, d := range all {
		fmt.Fprintf(&b, "\t\t%s\n", render.ShellWord(d.Name+":"+d.Short))
	}
	b.WriteString("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n" +
		"\tcase $words[2] in\n\thelp) _describe command commands ;;\n")
	fmt.Fprintf(&b, "\tcompletion) compadd %s ;;\n", strings.Join(shellNames(), " "))
	for _, d := range all {
		if len(d.Flags) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\t%s) _arguments", d.Name)
		for _, f := range d.Flags {
			value := ":value:_files"
			if f.Switch {
				value = ""
			}
			fmt.Fprintf(&b, " \\\n\t\t%s", render.ShellWord("*-"+f.Name+"["+spec(f.Doc)+"]"+value))
		}
		b.WriteString(" \\\n\t\t'*:file:_files' ;;\n")
	}
	b.WriteString("\t*) _files ;;\n\tesac\n}\ncompdef _rehearse rehearse\n")
	return b.String()
}

func fishCompletion(all []command.Described) string {
	text := func(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'" }
	var b strings.Builder
	b.WriteString("# fish completion of rehearse: rehearse completion fish | source\n")
	for _, d := range all {
		fmt.Fprintf(&b, "complete -c rehearse -n __fish_use_subcommand -f -a %s -d %s\n", d.Name, text(d.Short))
	}
	fmt.Fprintf(&b, "complete -c rehearse -n '__fish_seen_subcommand_from help' -f -a %s\n", text(commandNames(all)))
	fmt.Fprintf(&b, "complete -c rehearse -n '__fish_seen_subcommand_from completion' -f -a %s\n",
		text(strings.Join(shellNames(), " ")))
	for _, d := range all {
		for _, f := range d.Flags {
			value := " -r"
			if f.Switch {
				value = ""
			}
			fmt.Fprintf(&b, "complete -c rehearse -n '__fish_seen_subcommand_from %s' -o %s%s -d %s\n", d.Name, f.Name, value,
				text(f.Doc))
		}
	}
	return b.String()
}
