package ops

import (
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// shown reads the arguments of an op that makes text safe to show. Any bytes will
// do, but not any number of them: a byte may be shown as twelve.
func shown(a, b []byte, params ...param) (string, error) {
	if err := read(a, params...); err != nil {
		return "", err
	}
	if len(b) > abi.MaxShown {
		return "", &failure{code: abi.TooLarge, message: "more than 16 MiB are not shown"}
	}
	return string(b), nil
}

func renderLine(dst, a, b []byte) ([]byte, error) {
	var most int64
	s, err := shown(a, b, integer("max", &most, nil))
	if err != nil {
		return nil, err
	}
	if most < 0 || most > abi.MaxShown {
		return nil, wrong("max", "a number from 0 to 16777216")
	}
	line, cut := render.Line(s, int(most))
	e := encoder{buf: dst}
	e.open('{')
	e.text("line", line)
	e.bool("cut", cut)
	e.close('}')
	return e.buf, nil
}

func renderMarkdown(dst, a, b []byte) ([]byte, error) {
	return renderMarkup(dst, a, b, markup.Markdown)
}

func renderHTML(dst, a, b []byte) ([]byte, error) {
	return renderMarkup(dst, a, b, markup.HTML)
}

func renderMarkup(dst, a, b []byte, f func(string, markup.Options) string) ([]byte, error) {
	length, heading := int64(1<<20), int64(1)
	s, err := shown(a, b, integer("maxBytes", &length, nil), integer("topHeading", &heading, nil))
	if err != nil {
		return nil, err
	}
	if length < 1 || length > abi.MaxShown {
		return nil, wrong("maxBytes", "a number from 1 to 16777216")
	}
	if heading < 1 || heading > 6 {
		return nil, wrong("topHeading", "a number from 1 to 6")
	}
	return append(dst, f(s, markup.Options{MaxBytes: int(length), TopHeading: int(heading)})...), nil
}

func renderText(dst, a, b []byte) ([]byte, error)   { return renderPlain(dst, a, b, render.Text) }
func renderEscape(dst, a, b []byte) ([]byte, error) { return renderPlain(dst, a, b, markup.Escape) }
func renderCode(dst, a, b []byte) ([]byte, error)   { return renderPlain(dst, a, b, markup.Code) }
func renderBlock(dst, a, b []byte) ([]byte, error)  { return renderPlain(dst, a, b, markup.Block) }

func renderPlain(dst, a, b []byte, f func(string) string) ([]byte, error) {
	s, err := shown(a, b)
	if err != nil {
		return nil, err
	}
	return append(dst, f(s)...), nil
}
