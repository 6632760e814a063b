// Package markup checks pages and pictures in tests: whether they have their form, and run and load nothing.
package markup

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// drawn are the elements of pictures, void those of HTML that have no end.
var (
	drawn = strings.Fields("svg title desc style g rect text line path circle")
	void  = strings.Fields("meta br")
	pages = strings.Fields("html head meta title style body main section h1 h2 h3 p a table thead tbody tr th td span " +
		"div b br dl dt dd ul li pre code del ins details summary")
)

// Invalid says what is wrong with an SVG document, or with an HTML page that is XML too, as the page of a report is; ""
// if nothing is. It must be well-formed, of known elements. Each id is there once, and each link leads to one. In HTML,
// only elements without an end may be written as empty. Nothing runs, and nothing is loaded.
func Invalid(text string) string {
	c := &checker{ids: map[string]bool{}, links: map[string]bool{}, dec: xml.NewDecoder(strings.NewReader(text))}
	for c.problem == "" {
		before := c.dec.InputOffset()
		token, err := c.dec.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err.Error()
		}
		switch e := token.(type) {
		case xml.StartElement:
			empty := strings.HasSuffix(text[before:c.dec.InputOffset()], "/>")
			c.start(e, empty)
		case xml.EndElement:
			if e.Name.Local == "svg" {
				c.svg--
			}
		}
	}
	for link := range c.links {
		if c.problem == "" && !c.ids[link] {
			c.problem = "a link leads to " + link + ", which is not there"
		}
	}
	return c.problem
}

type checker struct {
	dec        *xml.Decoder
	ids, links map[string]bool
	svg        int // nested so deep
	problem    string
}

func (c *checker) start(e xml.StartElement, empty bool) {
	name := e.Name.Local
	if name == "svg" {
		c.svg++
	}
	switch {
	case c.svg > 0 && !slices.Contains(drawn, name), c.svg == 0 && !slices.Contains(pages, name):
		c.problem = fmt.Sprintf("element %s", name)
	case c.svg == 0 && empty && !slices.Contains(void, name):
		c.problem = fmt.Sprintf("<%s/>: it has no end in HTML", name)
	}
	for _, a := range e.Attr {
		switch attr := a.Name.Local; {
		case attr == "id" && c.ids[a.Value]:
			c.problem = fmt.Sprintf("id %s is there twice", a.Value)
		case attr == "id":
			c.ids[a.Value] = true
		case attr == "href" && strings.HasPrefix(a.Value, "#"):
			c.links[a.Value[1:]] = true
		case attr == "aria-labelledby":
			c.links[a.Value] = true
		case strings.HasPrefix(attr, "on"), attr == "href", attr == "src", attr == "style":
			c.problem = fmt.Sprintf("attribute %s of %s", attr, name)
		}
	}
}
