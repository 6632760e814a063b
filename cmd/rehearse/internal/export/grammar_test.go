package export

import (
	"fmt"
	"strings"
	"testing"
)

// formDOT reads the graphs by the grammar of DOT, as far as it is used here:
//
//	file   = graph ...
//	graph  = "digraph" id body
//	body   = "{" { stmt [ ";" ] } "}"
//	stmt   = "subgraph" id body | kind [ attrs ] | id "=" id | id [ "->" id ] [ attrs ]
//	attrs  = "[" id "=" id { "," id "=" id } "]"
//
// Each edge must join nodes that are declared.
func formDOT(t *testing.T, data []byte, es []Execution) {
	p := &dotParser{rest: string(data)}
	graphs := 0
	for p.err == nil && p.peek() != "" {
		p.want("digraph")
		p.id()
		p.nodes, p.used = map[string]bool{}, nil
		p.body()
		for _, n := range p.used {
			if !p.nodes[n] && p.err == nil {
				p.err = fmt.Errorf("an edge joins %s, which is no node", n)
			}
		}
		graphs++
	}
	if p.err != nil || graphs != len(es) {
		t.Errorf("%v, after %d of %d graphs, in\n%.2000s", p.err, graphs, len(es), data)
	}
}

type dotParser struct {
	rest  string
	err   error
	nodes map[string]bool
	used  []string
}

// peek gives the next token: a quoted string, a word, an arrow, or one sign.
func (p *dotParser) peek() string {
	p.rest = strings.TrimLeft(p.rest, " \n")
	if p.rest == "" || p.err != nil {
		return ""
	}
	if p.rest[0] == '"' {
		for i := 1; i < len(p.rest); i++ {
			switch p.rest[i] {
			case '\\':
				i++
			case '"':
				return p.rest[:i+1]
			case '\n':
				return p.rest[:1]
			}
		}
		return p.rest[:1]
	}
	if strings.HasPrefix(p.rest, "->") {
		return "->"
	}
	n := strings.IndexFunc(p.rest, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_')
	})
	if n == 0 {
		n = 1
	}
	return p.rest[:n]
}

func (p *dotParser) next() string {
	token := p.peek()
	p.rest = p.rest[len(token):]
	return token
}

func (p *dotParser) want(token string) {
	if got := p.next(); got != token && p.err == nil {
		p.err = fmt.Errorf("got %q, want %q, before %.60q", got, token, p.rest)
	}
}

func (p *dotParser) id() string {
	token := p.next()
	word := token != "" && (token[0] >= 'a' && token[0] <= 'z' || token[0] >= 'A' && token[0] <= 'Z' ||
		token[0] >= '0' && token[0] <= '9')
	if p.err == nil && !word && (len(token) < 2 || token[0] != '"') {
		p.err = fmt.Errorf("got %q, want an identifier, before %.60q", token, p.rest)
	}
	return token
}

func (p *dotParser) body() {
	p.want("{")
	for p.err == nil && p.peek() != "}" {
		switch token := p.id(); {
		case token == "subgraph":
			p.id()
			p.body()
		case p.peek() == "=":
			p.next()
			p.id()
		case p.peek() == "->":
			p.next()
			p.used = append(p.used, token, p.id())
			p.attrs()
		default:
			p.attrs()
			p.nodes[token] = token != "node" && token != "edge"
		}
		if p.peek() == ";" {
			p.next()
		}
	}
	p.want("}")
}

func (p *dotParser) attrs() {
	if p.peek() != "[" {
		return
	}
	for token := p.next(); p.err == nil && token != "]"; token = p.next() {
		if token != "[" && token != "," {
			p.err = fmt.Errorf("got %q in attributes, before %.60q", token, p.rest)
			return
		}
		p.id()
		p.want("=")
		p.id()
	}
}
