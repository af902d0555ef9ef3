// Package markup makes untrusted Markdown safe to show: [Markdown] returns Markdown
// for a hover or a text client, [HTML] returns a fragment for a web view, [Escape]
// and [Code] return a plain string (an alias, an id) for our own Markdown.
//
// The text is parsed and written again with a few elements; no syntax is copied from
// the input. Anything else is shown as plain text:
//
//   - Raw HTML, comments and CDATA are text. The parser has no HTML rules at all.
//   - Images are never loaded: "[image: alt]" and the address as code.
//   - The label of a link becomes text, with the address after it. Only the address
//     is a link, and only if it is https with a plain ASCII host, without user name
//     and password, and at most 2048 bytes long. A label therefore cannot name a
//     false target. Any other address is shown as code.
//   - Bare addresses are links under the same rule. Other addresses are escaped so
//     that no renderer turns them into links (http\://, www\., name\@host).
//   - Link definitions, which Markdown hides, are shown as text.
//   - "$(name)" is escaped, so that VS Code does not show an icon. It cannot be
//     escaped in code, so a client must not enable theme icons for these texts.
//   - Every piece of text and code goes through [render.Text] after backslashes
//     and character references are resolved, so a reference cannot add a character
//     that is not safe.
//
// The title of a link is shown as text after the address. These are dropped: the rest
// of a code block's info string after the language, and the difference between kinds
// of emphasis markers, bullets and code blocks.
//
// Some inputs make Markdown parsers slow or deep. Here the time is linear in the
// input. Input above [MaxInput] bytes, or with more nesting or table cells than
// people write (the limits of package markdown), is shown as one code block, after
// a line with the reason. No input causes a panic.
//
// The package is pure; it imports render and its parser, package markdown.
package markup

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/render"
)

// MaxInput is the length in bytes up to which text is shown formatted. Longer text is
// shown as plain text.
const MaxInput = 64 << 10

// defaultMaxBytes limits the output if the caller does not: with references, a short
// text can repeat a long address many times.
const defaultMaxBytes = 1 << 20

// Options are the options of [Markdown] and [HTML]. The zero value is valid.
type Options struct {
	// MaxBytes limits the output, in bytes; 0 or less means 1 MiB. Longer output is
	// cut, preferably at the end of a line or block, and ends with a note. Markdown
	// never exceeds the limit, and is "…" if not even the note fits. HTML may exceed
	// it by its closing tags and the note, less than 4 KiB.
	MaxBytes int

	// TopHeading is the level at which a first-level heading is shown, 1 to 6. Other
	// headings follow, down to level 6. A panel with its own headings sets it.
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

// Markdown returns untrusted Markdown as Markdown that any client may show. The result
// is complete: code fences and emphasis are closed, even if it was cut, and text before
// or after it has no effect on it if separated by an empty line.
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

// Escape returns plain text as one line of Markdown that shows exactly that text, for
// names and titles in our own Markdown. White space is treated as in [render.Line].
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

// Block returns plain text as a Markdown code block, for timelines and files. The text
// cannot end the block. It is shown as by [render.Text].
func Block(s string) string {
	s = strings.TrimRight(render.Text(s), "\n")
	w := newMDWriter(Options{MaxBytes: 2*len(s) + 1024})
	w.fence("", s)
	return w.finish()
}

// clip cuts safe text to slightly more than n bytes, so that the writer does not process
// much more than it can show, but still detects that the text was too long. A character
// that clip cuts in two is after the text that is shown.
func clip(s string, n int) string {
	if len(s) <= n+16 {
		return s
	}
	return s[:n+16]
}

// codeSpan returns the parts of a code span around the safe one-line text s. The run of
// backticks is longer than any in s. A space separates the two runs if necessary, which
// renderers remove again (CommonMark 6.1).
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
