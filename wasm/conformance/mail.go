package conformance

import (
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// shownTexts are texts with mentions of each kind, every element of Markdown, and
// characters that are invisible in a text.
var shownTexts = []string{
	"re task_dispatch-T-2026-007-1772107200000: [thread:release 1.4] and 2026-04-25-dave.dev-go. (msg_1795249958451_30328b7b) T-2026-007 3a8e80c1cec9cb05\n",
	"6f1c1f6e-9a3b-4c0e-8a55-0d6d1c2b3a49 [thread:é\u202e] [thread:] [thread:x xT-2026-007 T-2026-0071x msg_1_ 3A8E80C1CEC9CB05\n",
	"# One\n\nTwo **three** _four_ ~~five~~ `six`\nseven  \neight\\\nnine\n\nTen\n===\n\n###### Eleven\n\n---\n",
	"- a\n- b\n  1. c\n  2. d\n\n    e\n* f\n\n> g\n> > h\n\n- [ ] i\n- [x] j\n",
	"```go\nfunc f() { return \"```\" }\n```\n\n    indented\n\n~~~\nnever closed\n",
	"| a | b |\n|:--|--:|\n| c | `d|e` |\n| f \\| g |\n",
	"[label](https://example.com/a?b=c \"title\") <https://example.com> https://example.com/x. www.example.com a@example.com\n",
	"[label][ref] ![image](http://example.com/a.png) [x](javascript:alert(1)) [y](<vscode:/z>) [w](//e.com)\n\n[ref]: https://example.com 'title'\n",
	"<script>alert(1)</script> <b onclick=x>b</b> <!-- c --> <![CDATA[d]]> &lt;e&gt; &#x202e; &amp;amp; &nosuch;\n",
	"a\u202eb\u200bc\x1b[31md\x00e\r\nf\rg\u2028h\ufeffi\U000e0041 \U0001F468\u200d\U0001F469 1\ufe0f\u20e3\n",
	"bad \xff\xfe \xed\xa0\x80 bytes $(alert) command:x \\* \\_ \\# +1. 1) \t\t tab\n",
	strings.Repeat("> ", 40) + "deep\n\n" + strings.Repeat("- ", 40) + "deeper\n",
	strings.Repeat("*a _b ", 200) + "\n" + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\n",
}

// mail passes every file of every format to the detection, with several names, and
// texts to the ops that make them safe to show.
func (f *Fixtures) mail() ([]Case, error) {
	var cases []Case
	for _, name := range f.names {
		text := f.files[name]
		for _, given := range []string{name, path.Base(name), "log-x.jsonl"} {
			cases = append(cases, Case{abi.MailDetect, object("name", given), text})
		}
		// Folders and files are named like threads, messages and aliases.
		for _, op := range []abi.Op{abi.MailLinks, abi.RenderLine, abi.RenderEscape, abi.RenderCode} {
			cases = append(cases, Case{op, "", name})
		}
	}
	for heading := 1; heading <= 6; heading++ {
		for _, text := range shownTexts {
			params := object("topHeading", heading, "maxBytes", 40*heading)
			cases = append(cases, Case{abi.RenderMarkdown, params, text}, Case{abi.RenderHTML, params, text})
		}
	}
	return cases, nil
}
