package ops

import (
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/detect"
	model "github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

func mailDetect(c *call) error {
	var name string
	if err := c.read(text("name", &name)); err != nil {
		return err
	}
	f := detect.File(name, c.b)
	c.word("protocol", string(f.Protocol))
	c.word("kind", string(f.Kind))
	c.word("certainty", string(f.Certainty))
	c.text("reason", f.Reason)
	return nil
}

func mailLinks(c *call) error {
	limit := int64(abi.DefaultFindings)
	if err := c.read(bounded("limit", &limit, 0, abi.MaxFindings)); err != nil {
		return err
	}
	if !utf8.Valid(c.b) {
		return badArgument("the text is not valid UTF-8")
	}
	c.key("mentions")
	c.open('[')
	more := int64(0)
	for m := range model.Mentions(string(c.b)) {
		if limit--; limit < 0 {
			more++
			continue
		}
		c.item()
		c.open('{')
		c.text("kind", m.Kind)
		c.number("offset", int64(m.Offset))
		c.number("length", int64(m.Length))
		c.text("token", m.Token)
		c.close('}')
	}
	c.close(']')
	c.number("more", more)
	return nil
}

// word writes a text, or null for an empty one.
func (e *encoder) word(name, value string) {
	if value == "" {
		e.null(name)
		return
	}
	e.text(name, value)
}
