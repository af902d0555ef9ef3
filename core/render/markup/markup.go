// Package markup makes untrusted Markdown safe to show: [Markdown] gives Markdown
// for a hover or a text client, [HTML] gives a fragment for a web view, [Escape]
// and [Code] put a plain string (an alias, an id) into Markdown of our own.
//
// The text is parsed, and written again with a short list of elements; no syntax is
// copied from the input. Anything else is shown as plain text:
//
//   - Raw HTML, comments and CDATA are text. The parser has no HTML rules at all.
//   - Images are never loaded: "[image: alt]" and the address as code.
//   - Links keep their label as text and show the address after it. Only the
//     address is a link, and only if it is https with a plain ASCII host, without
//     user name and password, and at most 2048 bytes long; a label can therefore
//     not pretend to lead elsewhere. Any other address is shown as code.
//   - Bare addresses are links under the same rule. Others are written so that
//     no renderer makes a link of them (http\://, www\., name\@host).
//   - Link definitions, which Markdown hides, are shown as text.
//   - "$(name)" is escaped, so that VS Code makes no icon of it. In code it has
//     to stay as it is; a client must not switch theme icons on for these texts.
//   - Every piece of text and code goes through [render.Text] after backslashes
//     and character references are resolved, so a reference cannot smuggle.
//
// The title of a link is shown as text after the address. What a code block's
// info string says after the language, and the difference between kinds of
// emphasis markers, bullets and code block forms, are not kept.
//
// Some inputs make Markdown parsers slow or deep. Here the time is linear in the
// input. Input above [MaxInput] bytes, or with more nesting or table cells than
// people write (the limits of package markdown), is shown as one code block that
// begins with a line saying why. No input panics.
//
// The package is pure; it imports render and its parser, package markdown.
package markup

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/render"
)

// MaxInput is the length in bytes up to which text is shown formatted. Anything
// longer is shown as plain text.
const MaxInput = 64 << 10

// defaultMaxBytes bounds the output where the caller does not: references let a
// short text repeat a long address many times.
const defaultMaxBytes = 1 << 20

// Options of [Markdown] and [HTML]. The zero value is good.
type Options struct {
	// MaxBytes limits the output, in bytes; 0 and less means 1 MiB. Output that
	// would be longer is cut, preferably at the end of a line or block, and says
	// so at its end. Markdown never exceeds it; where not even the note fits, it is
	// "…". HTML may exceed it by its closing tags and the note, less than 4 KiB.
	MaxBytes int

	// TopHeading is the level of a first-level heading, 1 to 6; lower levels
	// follow, none deeper than 6. A panel that has headings of its own sets it.
	// 0 means 1.
	TopHeading int
}

func (o Options) maxBytes() int {
	if o.MaxBytes <= 0 {
		return defaultMaxBytes
	}
	return o.MaxBytes
}

// heading returns the level at which a heading of the given level is shown.
func (o Options) heading(level int) int {
	return max(1, min(6, level+max(o.TopHeading, 1)-1))
}

// Markdown returns untrusted Markdown as Markdown that any client may show. It is
// valid on its own: code fences and emphasis are closed, also where it was cut,
// and nothing in it depends on what a caller puts before or after, if separated
// by an empty line.
func Markdown(src string, opt Options) string {
	root, reason := parse(src)
	w := newMDWriter(opt)
	if reason != "" {
		w.raw("*(shown as plain text: " + reason + ")*")
		w.newline()
		w.blank()
		w.fence("", clip(render.Text(src), opt.maxBytes()))
		return w.finish()
	}
	w.blocks(root, false)
	return w.finish()
}

// HTML returns untrusted Markdown as an HTML fragment made of these elements only:
// p h1-h6 strong em del code pre blockquote ul ol li table thead tbody tr th td hr
// br a. Attributes are href and rel on a, start on ol, data-lang (of [a-z0-9+#-])
// on pre, data-align (left, right, center) on th and td. Text in it is escaped for
// element content and for quoted attributes.
func HTML(src string, opt Options) string {
	root, reason := parse(src)
	w := newHTMLWriter(opt)
	if reason != "" {
		w.tag("<p><em>(shown as plain text: " + reason + ")</em></p>\n")
		w.code(clip(render.Text(src), opt.maxBytes()), "")
		return w.finish()
	}
	w.blocks(root, false)
	return w.finish()
}

// Escape returns plain text as one line of Markdown that shows that text and
// nothing else, for names and titles between Markdown of our own. White space is
// treated as in [render.Line].
func Escape(s string) string {
	line, _ := render.Line(s, 0)
	w := newMDWriter(Options{MaxBytes: 1<<31 - 1})
	w.mode = inHeading
	w.text(line, false)
	return string(w.out)
}

// Code returns plain text as a Markdown code span, on one line, for ids and
// addresses. The empty string stays empty.
func Code(s string) string {
	line, _ := render.Line(s, 0)
	open, body, end := codeSpan(line)
	return open + body + end
}

// Block returns plain text as a Markdown code block that it cannot end, for
// timelines and files. The text is shown as [render.Text] shows it.
func Block(s string) string {
	s = strings.TrimRight(render.Text(s), "\n")
	w := newMDWriter(Options{MaxBytes: 2*len(s) + 1024})
	w.fence("", s)
	return w.finish()
}

// clip cuts safe text to n bytes and a little more, so that the writer does not work on
// much more than can be shown, but still notices that there was more. A character that
// it cuts in two is beyond the text that is shown.
func clip(s string, n int) string {
	if len(s) <= n+16 {
		return s
	}
	return s[:n+16]
}

// codeSpan returns the parts of a code span around the safe one-line text s. The
// run of backticks is longer than any in s; a space keeps them apart, which
// CommonMark 6.1 takes away again.
func codeSpan(s string) (open, body, end string) {
	if s == "" {
		return "", "", ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	pad := ""
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != "" {
		pad = " "
	}
	return ticks + pad, s, pad + ticks
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
