package ops

import (
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// shown reads the arguments of an op that makes text safe to show. The text may have
// any bytes, but its length is limited, since a byte may be shown as twelve.
func (c *call) shown(params ...param) (string, error) {
	if err := c.read(params...); err != nil {
		return "", err
	}
	if len(c.b) > abi.MaxShown {
		return "", &failure{code: abi.TooLarge, message: "more than 16 MiB are not shown"}
	}
	return string(c.b), nil
}

func renderLine(c *call) error {
	var most int64
	s, err := c.shown(bounded("max", &most, 0, abi.MaxShown))
	if err != nil {
		return err
	}
	line, cut := render.Line(s, int(most))
	c.Text("line", line)
	c.Bool("cut", cut)
	return nil
}

func renderMarkdown(c *call) error {
	return renderMarkup(c, markup.Markdown)
}

func renderHTML(c *call) error {
	return renderMarkup(c, markup.HTML)
}

func renderMarkup(c *call, f func(string, markup.Options) string) error {
	length, heading := int64(1<<20), int64(1)
	s, err := c.shown(bounded("maxBytes", &length, 1, abi.MaxShown), bounded("topHeading", &heading, 1, 6))
	if err != nil {
		return err
	}
	return c.plain(f(s, markup.Options{MaxBytes: int(length), TopHeading: int(heading)}))
}

func renderText(c *call) error   { return c.shownAs(render.Text) }
func renderEscape(c *call) error { return c.shownAs(markup.Escape) }
func renderCode(c *call) error   { return c.shownAs(markup.Code) }
func renderBlock(c *call) error  { return c.shownAs(markup.Block) }

func (c *call) shownAs(f func(string) string) error {
	s, err := c.shown()
	if err != nil {
		return err
	}
	return c.plain(f(s))
}
