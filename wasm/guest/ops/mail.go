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
	c.Text("reason", f.Reason)
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
	c.Open("mentions", '[')
	more := int64(0)
	for m := range model.Mentions(string(c.b)) {
		if limit--; limit < 0 {
			more++
			continue
		}
		nested(&c.encoder, "", &m, func(e *encoder, m *model.Mention) {
			e.Text("kind", m.Kind)
			e.Number("offset", int64(m.Offset))
			e.Number("length", int64(m.Length))
			e.Text("token", m.Token)
		})
	}
	c.Close(']')
	c.Number("more", more)
	return nil
}

// word writes a text, or null for an empty one.
func (e *encoder) word(name, value string) {
	if value == "" {
		e.Raw(name, nil)
		return
	}
	e.Text(name, value)
}
