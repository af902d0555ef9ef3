package markup_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/render/markup"
)

// Each case tests one rule, with a text that tries something and both forms that are shown.
func TestRules(t *testing.T) {
	tests := []struct{ name, in, markdown, html string }{
		{"empty", "", "", ""},
		{"paragraph", "Hello *there*, __you__ ~~two~~.", "Hello *there*, **you** ~~two~~.\n", "<p>Hello <em>there</em>, <strong>you</strong> <del>two</del>.</p>\n"},
		{"crlf", "a\r\nb\r\n\r\nc", "a\nb\n\nc\n", "<p>a\nb</p>\n<p>c</p>\n"},
		{"lone cr", "a\rb", "a⟨U+000D⟩b\n", "<p>a⟨U+000D⟩b</p>\n"},
		{"hard break", "a  \nb\\\nc", "a\\\nb\\\nc\n", "<p>a<br>\nb<br>\nc</p>\n"},
		{"headings", "# a #\n\nb\n===\n\n###### c", "# a\n\n# b\n\n###### c\n", "<h1>a</h1>\n<h1>b</h1>\n<h6>c</h6>\n"},
		{"rule", "a\n\n---", "a\n\n***\n", "<p>a</p>\n<hr>\n"},
		{"quote", "> a\n> > b", "> a\n>\n> > b\n", "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n"},
		{"tight list", "- a\n- b\n  - c", "- a\n- b\n  - c\n", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n"},
		{"ordered list", "3) a\n4) b", "3. a\n4. b\n", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n"},
		{"two lists", "- a\n\n* b", "- a\n\n* b\n", "<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>\n"},
		{"tasks", "- [x] a\n- [ ] b", "- \\[x\\] a\n- \\[ \\] b\n", "<ul>\n<li>[x] a</li>\n<li>[ ] b</li>\n</ul>\n"},
		{"table", "a|b\n:-|-:\n`x\\|y`|*z*", "| a | b |\n| :-- | --: |\n| `x\\|y` | *z* |\n", "<table>\n<thead>\n<tr><th data-align=\"left\">a</th><th data-align=\"right\">b</th></tr>\n</thead>\n<tbody>\n<tr><td data-align=\"left\"><code>x|y</code></td><td data-align=\"right\"><em>z</em></td></tr>\n</tbody>\n</table>\n"},

		{"fence", "```go\nif a < b {\n\treturn `x`\n}\n\n```", "```go\nif a < b {\n\treturn `x`\n}\n\n```\n", "<pre data-lang=\"go\"><code>if a &lt; b {\n\treturn `x`\n}\n\n</code></pre>\n"},
		{"nested fence", "````md\n```\n<b>\n```\n````", "````md\n```\n<b>\n```\n````\n", "<pre data-lang=\"md\"><code>```\n&lt;b&gt;\n```\n</code></pre>\n"},
		{"tilde fence around backticks", "~~~\n```\n~~~", "````\n```\n````\n", "<pre><code>```\n</code></pre>\n"},
		{"unclosed fence", "```\n<script>", "```\n<script>\n```\n", "<pre><code>&lt;script&gt;\n</code></pre>\n"},
		{"language is one plain word", "```js\" onload=x {.a}\nx\n```", "```\nx\n```\n", "<pre><code>x\n</code></pre>\n"},
		{"language c++", "```C++\nx\n```", "```c++\nx\n```\n", "<pre data-lang=\"c++\"><code>x\n</code></pre>\n"},
		{"indented code", "    a\n\tb", "```\na\nb\n```\n", "<pre><code>a\nb\n</code></pre>\n"},
		{"fence in a list", "- ```\n  a\n  ```", "- ```\n  a\n  ```\n", "<ul>\n<li><pre><code>a\n</code></pre>\n</li>\n</ul>\n"},
		{"code span", "`` a`b `` and ` `` `", "``a`b`` and ``` `` ```\n", "<p><code>a`b</code> and <code>``</code></p>\n"},
		{"code is exact", "`*a* &lt; $(x) \\n`", "`*a* &lt; $(x) \\n`\n", "<p><code>*a* &amp;lt; $(x) \\n</code></p>\n"},
		{"bidi in code", "`a\u202eb`", "`a⟨U+202E⟩b`\n", "<p><code>a⟨U+202E⟩b</code></p>\n"},

		{"script", "<script>alert(1)</script>", "\\<script>alert(1)\\</script>\n", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
		{"img onerror", `a <img src=x onerror="alert(1)">`, "a \\<img src=x onerror=\"alert(1)\">\n", "<p>a &lt;img src=x onerror=&quot;alert(1)&quot;&gt;</p>\n"},
		{"comment", "<!-- hidden -->", "\\<!-- hidden -->\n", "<p>&lt;!-- hidden --&gt;</p>\n"},
		{"cdata", "<![CDATA[x]]>", "\\<!\\[CDATA\\[x\\]\\]>\n", "<p>&lt;![CDATA[x]]&gt;</p>\n"},
		{"html by reference", "&lt;script&gt; &#60;b&#x3e;", "\\<script> \\<b>\n", "<p>&lt;script&gt; &lt;b&gt;</p>\n"},

		{"image", "![a *b*](https://x.test/p.png)", "\\[image: a b\\] `https://x.test/p.png`\n", "<p>[image: a b] <code>https://x.test/p.png</code></p>\n"},
		{"image in a link", "[![a](http://i.test)](https://x.test)", "\\[image: a\\] `http://i.test` (<https://x.test>)\n", "<p>[image: a] <code>http://i.test</code> (<a href=\"https://x.test\" rel=\"noreferrer noopener\">https://x.test</a>)</p>\n"},
		{"data image", "![](data:text/html;base64,PHNj)", "\\[image: \\] `data:text/html;base64,PHNj`\n", "<p>[image: ] <code>data:text/html;base64,PHNj</code></p>\n"},

		{"link", "[docs](https://x.test/a?b=1&c=2)", "docs (<https://x.test/a?b=1&c=2>)\n", "<p>docs (<a href=\"https://x.test/a?b=1&amp;c=2\" rel=\"noreferrer noopener\">https://x.test/a?b=1&amp;c=2</a>)</p>\n"},
		{"link to itself", "[https://x.test/](https://x.test/)", "<https://x.test/>\n", "<p><a href=\"https://x.test/\" rel=\"noreferrer noopener\">https://x.test/</a></p>\n"},
		{"label lies", "[https://good.test](https://evil.test)", "https\\://good.test (<https://evil.test>)\n", "<p>https://good.test (<a href=\"https://evil.test\" rel=\"noreferrer noopener\">https://evil.test</a>)</p>\n"},
		{"title", `[a](https://x.test "t <b>")`, "a (<https://x.test> \"t \\<b>\")\n", "<p>a (<a href=\"https://x.test\" rel=\"noreferrer noopener\">https://x.test</a> &quot;t &lt;b&gt;&quot;)</p>\n"},
		{"javascript", "[x](javascript:alert(1))", "x (`javascript:alert(1)`)\n", "<p>x (<code>javascript:alert(1)</code>)</p>\n"},
		{"javascript by reference", "[x](&#x6a;avascript&colon;alert)", "x (`javascript:alert`)\n", "<p>x (<code>javascript:alert</code>)</p>\n"},
		{"javascript by percent", "[x](%6aavascript:alert)", "x (`%6aavascript:alert`)\n", "<p>x (<code>%6aavascript:alert</code>)</p>\n"},
		{"javascript with tab", "[x](<java\tscript:a>)", "x (`java script:a`)\n", "<p>x (<code>java script:a</code>)</p>\n"},
		{"command", "[x](command:workbench.action.quit)", "x (`command:workbench.action.quit`)\n", "<p>x (<code>command:workbench.action.quit</code>)</p>\n"},
		{"vscode, file, http, relative", "[a](vscode://x) [b](file:///etc/passwd) [c](http://x.test) [d](../e)", "a (`vscode://x`) b (`file:///etc/passwd`) c (`http://x.test`) d (`../e`)\n", "<p>a (<code>vscode://x</code>) b (<code>file:///etc/passwd</code>) c (<code>http://x.test</code>) d (<code>../e</code>)</p>\n"},
		{"user name as host", "[a](https://good.test@evil.test/)", "a (`https://good.test@evil.test/`)\n", "<p>a (<code>https://good.test@evil.test/</code>)</p>\n"},
		{"backslash in host", "[a](https://good.test\\\\@evil.test)", "a (`https://good.test\\@evil.test`)\n", "<p>a (<code>https://good.test\\@evil.test</code>)</p>\n"},
		{"homograph host", "[a](https://gооd.test)", "a (`https://gооd.test`)\n", "<p>a (<code>https://gооd.test</code>)</p>\n"},
		{"upper case", "[a](HTTPS://X.Test/P)", "a (<https://x.test/P>)\n", "<p>a (<a href=\"https://x.test/P\" rel=\"noreferrer noopener\">https://x.test/P</a>)</p>\n"},
		{"path is encoded", "[a](<https://x.test/`|\"ü $(y)>)", "a (<https://x.test/%60%7C%22%C3%BC%20%24(y)>)\n", "<p>a (<a href=\"https://x.test/%60%7C%22%C3%BC%20%24(y)\" rel=\"noreferrer noopener\">https://x.test/%60%7C%22%C3%BC%20%24(y)</a>)</p>\n"},
		{"invisible in address", "[a](https://x.test/\u200b)", "a (<https://x.test/%E2%9F%A8U+200B%E2%9F%A9>)\n", "<p>a (<a href=\"https://x.test/%E2%9F%A8U+200B%E2%9F%A9\" rel=\"noreferrer noopener\">https://x.test/%E2%9F%A8U+200B%E2%9F%A9</a>)</p>\n"},
		{"reference link", "[a][r] [r]\n\n[r]: command:x 'hi'", "a (`command:x` \"hi\") r (`command:x` \"hi\")\n\n\\[r\\]: command:x \"hi\"\n", "<p>a (<code>command:x</code> &quot;hi&quot;) r (<code>command:x</code> &quot;hi&quot;)</p>\n<p>[r]: command:x &quot;hi&quot;</p>\n"},
		{"hidden definition", "[//]: # (secret orders)", "\\[//\\]: # \"secret orders\"\n", "<p>[//]: # &quot;secret orders&quot;</p>\n"},
		{"autolink", "<https://x.test/a>", "<https://x.test/a>\n", "<p><a href=\"https://x.test/a\" rel=\"noreferrer noopener\">https://x.test/a</a></p>\n"},
		{"autolink javascript", "<javascript:alert(1)>", "javascript:alert(1)\n", "<p>javascript:alert(1)</p>\n"},
		{"autolink mail", "<a@b.test>", "a\\@b.test\n", "<p>a@b.test</p>\n"},
		{"bare https", "see https://x.test/a_b_c.", "see <https://x.test/a_b_c>.\n", "<p>see <a href=\"https://x.test/a_b_c\" rel=\"noreferrer noopener\">https://x.test/a_b_c</a>.</p>\n"},
		{"bare others", "http://x.test www.x.test me@x.test mailto:me@x.test ftp://x.test", "http\\://x.test www\\.x.test me\\@x.test mailto\\:me\\@x.test ftp\\://x.test\n", "<p>http://x.test www.x.test me@x.test mailto:me@x.test ftp://x.test</p>\n"},
		{"footnote is text", "a[^1]\n\n[^1]: b", "a^1 (`b`)\n\n\\[^1\\]: b\n", "<p>a^1 (<code>b</code>)</p>\n<p>[^1]: b</p>\n"},

		{"icon", "$(trash) &#36;(x) \\$(y) a$", "\\$(trash) \\$(x) \\$(y) a$\n", "<p>$(trash) $(x) $(y) a$</p>\n"},
		{"icon across nodes", "$<b>(x) $*a*", "$\\<b>(x) \\$*a*\n", "<p>$&lt;b&gt;(x) $<em>a</em></p>\n"},
		{"bidi", "a\u202eb &#x202e; &rlm;", "a⟨U+202E⟩b ⟨U+202E⟩ ⟨U+200F⟩\n", "<p>a⟨U+202E⟩b ⟨U+202E⟩ ⟨U+200F⟩</p>\n"},
		{"newline by reference", "a&#10;# b&#10;&#10;- c", "a # b  - c\n", "<p>a # b  - c</p>\n"},
		{"escapes stay text", "\\*a\\* \\# \\[b\\](c) \\`d\\` \\\\ &amp;amp;", "\\*a\\* # \\[b\\](c) \\`d\\` \\\\ \\&amp;\n", "<p>*a* # [b](c) `d` \\ &amp;amp;</p>\n"},
		{"starts of lines", "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\=== \n\n\\+ e", "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\===\n\n\\+ e\n", "<p># a</p>\n<p>- b</p>\n<p>1. c</p>\n<p>&gt; d</p>\n<p>===</p>\n<p>+ e</p>\n"},
		{"words stay readable", "snake_case v1.2 a-b 3.14 x: y -> z #4 R&D", "snake_case v1.2 a-b 3.14 x: y -> z #4 R\\&D\n", "<p>snake_case v1.2 a-b 3.14 x: y -&gt; z #4 R&amp;D</p>\n"},
		{"arabic and hebrew", "مرحبا **שלום**", "مرحبا **שלום**\n", "<p>مرحبا <strong>שלום</strong></p>\n"},
		{"emoji", "👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 🇮🇱", "👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 🇮🇱\n", "<p>👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 🇮🇱</p>\n"},
		{"invalid", "a\xffb", "a⟨0xFF⟩b\n", "<p>a⟨0xFF⟩b</p>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.markdown, markup.Markdown(tt.in, markup.Options{})); diff != "" {
				t.Errorf("Markdown (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.html, markup.HTML(tt.in, markup.Options{})); diff != "" {
				t.Errorf("HTML (-want +got):\n%s", diff)
			}
			checkAll(t, tt.in, 0)
			checkSameText(t, tt.in)
		})
	}
}

func TestTopHeading(t *testing.T) {
	opt := markup.Options{TopHeading: 3}
	if got, want := markup.Markdown("# a\n\n## b\n\n##### c", opt), "### a\n\n#### b\n\n###### c\n"; got != want {
		t.Errorf("Markdown: got %q, want %q", got, want)
	}
	if got, want := markup.HTML("# a\n\n##### c", opt), "<h3>a</h3>\n<h6>c</h6>\n"; got != want {
		t.Errorf("HTML: got %q, want %q", got, want)
	}
}

func TestEscape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "foo-bar", "foo-bar"},
		{"link", "[a](command:x)", `\[a\](command:x)`},
		{"icon", "$(trash)", `\$(trash)`},
		{"icon to be finished by the caller", "$", `\$`},
		{"lines", "a\n# b", `a \# b`},
		{"bidi", "a\u202e", "a⟨U+202E⟩"},
		{"address", "http://x", `http\://x`},
		{"emphasis", "_a_ *b*", `\_a\_ \*b\*`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := markup.Escape(tt.in); got != tt.want {
				t.Errorf("Escape(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCode(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"id", "0123456789abcdef", "`0123456789abcdef`"},
		{"backticks", "a``b", "```a``b```"},
		{"backtick at the edge", "`", "`` ` ``"},
		{"lines", "a\nb", "`a b`"},
		{"bidi", "\u202e", "`⟨U+202E⟩`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := markup.Code(tt.in); got != tt.want {
				t.Errorf("Code(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCut(t *testing.T) {
	const note = "\n*(cut here: the rest is too long to be shown)*\n"
	words := strings.Repeat("word ", 1000)
	tests := []struct {
		name, in string
		max      int
		ends     string // the output ends in this
	}{
		{"at a block", strings.Repeat("A paragraph of some words.\n\n", 50), 400, "words.\n" + note},
		{"at a line", strings.Repeat("A line of some words.\n", 50), 400, "words.\n" + note},
		{"fence is closed", "```go\n" + strings.Repeat("x := 1\n", 500) + "```", 300, "x := 1\n```\n" + note},
		{"fence in a quote is closed", "> ```\n" + strings.Repeat("> x := 1\n", 500), 300, "> x := 1\n> ```\n" + note},
		{"long line", words, 300, "…\n" + note},
		{"long emphasis is closed", "a **b *c " + words + "d* e**", 300, "…***\n" + note},
		{"long code span is closed", "`` ` " + words + "``", 300, "… ``\n" + note},
		{"long line in a fence", "```\n" + words + "\n```", 300, "…\n```\n" + note},
		{"table", "|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", 100), 300, "| c | d |\n" + note},
		{"wide table", strings.Repeat("a|", 900) + "\n" + strings.Repeat(":-:|", 900) + "\n", 300, "…\n" + note},
		{"long addresses", strings.Repeat("[a](https://x.test/"+strings.Repeat("&", 80)+")\n", 40), 300, ">)\n" + note},
		{"list", strings.Repeat("- item\n", 100), 300, "- item\n" + note},
		{"plain text that shrinks", strings.Repeat("\r\n", 40000), 300, "\n```\n" + note},
		{"plain text", strings.Repeat("line\n", 20000), 300, "line\n```\n" + note},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := markup.Markdown(tt.in, markup.Options{MaxBytes: tt.max})
			if !strings.HasSuffix(got, tt.ends) || len(got) < tt.max*3/5 {
				t.Errorf("got %d bytes: %q\nwant the end %q", len(got), got, tt.ends)
			}
			html := markup.HTML(tt.in, markup.Options{MaxBytes: tt.max})
			if !strings.HasSuffix(html, "<p><em>(cut here: the rest is too long to be shown)</em></p>\n") {
				t.Errorf("HTML does not say that it was cut: %q", html)
			}
			for limit := 1; limit < tt.max; limit += 7 {
				checkAll(t, tt.in, limit)
			}
		})
	}
}

// Output that fits is not cut.
func TestNotCut(t *testing.T) {
	in := strings.Repeat("A paragraph of some words.\n\n", 20)
	whole := markup.Markdown(in, markup.Options{})
	if got := markup.Markdown(in, markup.Options{MaxBytes: len(whole) + 100}); got != whole {
		t.Errorf("got %q, want %q", got, whole)
	}
}

func TestLimitTooSmallForTheNote(t *testing.T) {
	for limit, want := range map[int]string{1: "", 2: "", 3: "…", 30: "…"} {
		if got := markup.Markdown("hello\n\nworld", markup.Options{MaxBytes: limit}); got != want {
			t.Errorf("limit %d: got %q, want %q", limit, got, want)
		}
	}
}

// A text that cannot be formatted is shown with the reason.
func TestFallback(t *testing.T) {
	tests := []struct{ name, in, reason string }{
		{"long", strings.Repeat("<b> ", markup.MaxInput/4) + ".", "more than 64 KiB"},
		{"table", "<b>" + strings.Repeat("a|", 4000) + "\n" + strings.Repeat("-|", 4000) + "\na\na\na\na\n", "too large a table"},
		{"quotes in a line", strings.Repeat(">", 17) + "<b>", "nested too deeply"},
		{"lists in a line", strings.Repeat("1. ", 17) + "<b>", "nested too deeply"},
		{"emphasis", strings.Repeat("*a ", 70) + "<b>" + strings.Repeat("b* ", 70), "nested too deeply"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			md := markup.Markdown(tt.in, markup.Options{})
			if !strings.HasPrefix(md, "*(shown as plain text: "+tt.reason+")*\n\n```\n") || !strings.Contains(md, tt.in) {
				t.Errorf("Markdown: %.200q", md)
			}
			fragment := markup.HTML(tt.in, markup.Options{})
			if !strings.HasPrefix(fragment, "<p><em>(shown as plain text: "+tt.reason+")</em></p>\n<pre><code>") || !strings.Contains(fragment, "&lt;b&gt;") {
				t.Errorf("HTML: %.200q", fragment)
			}
			checkHTML(t, fragment)
		})
	}
}

// Texts that people write must be shown formatted.
func TestOrdinaryTextIsFormatted(t *testing.T) {
	tests := []struct{ name, in string }{
		{"line of dashes with a title", "-------------------- Section ------"},
		{"wide delimiter row", "a | b\n--------------------|------------------\n1 | 2"},
		{"line of stars", strings.Repeat("*", 200)},
		{"quoted line of dashes", "> > " + strings.Repeat("-", 100)},
		{"long log", "```\n" + strings.Repeat("[12:00:01] some_module: did a thing [ok]\n", 300) + "```"},
		{"list of links", strings.Repeat("- [name](https://x.test/page) and more\n", 300)},
		{"brackets", strings.Repeat("<b>[", 1600)},
		{"markers", strings.Repeat("<b>*", 4100)},
		{"empty lines in a deep list", "- - - <b>\n" + strings.Repeat("\n", 7000)},
		{"long table", "|a|b|c|d|e|\n|-|-|-|-|-|\n" + strings.Repeat("|1|2|3|4|5|\n", 1000)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if md := markup.Markdown(tt.in, markup.Options{}); strings.Contains(md, "shown as plain text") {
				t.Errorf("got %.100q", md)
			}
		})
	}
}

func BenchmarkHTML(b *testing.B) { benchmark(b, markup.HTML) }

func BenchmarkMarkdown(b *testing.B) { benchmark(b, markup.Markdown) }

func benchmark(b *testing.B, f func(string, markup.Options) string) {
	short := "The build is **green** again, see [the run](https://ci.test/7) and `make check`.\n\n- one\n- two\n"
	inputs := []struct{ name, text string }{{"short", short}, {"20KB", strings.Repeat(short+"\n", 200)}}
	for _, in := range inputs {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			b.ReportAllocs()
			for b.Loop() {
				_ = f(in.text, markup.Options{})
			}
		})
	}
}

// TestBlock checks that a code block shows its text, and that the text cannot end it.
func TestBlock(t *testing.T) {
	for in, want := range map[string]string{
		"a\n  b\n":           "```\na\n  b\n```\n",
		"x\n````\n# y":       "`````\nx\n````\n# y\n`````\n",
		"\x1b[2J\u202e":      "```\n⟨U+001B⟩[2J⟨U+202E⟩\n```\n",
		"<b>*no* [l](x)</b>": "```\n<b>*no* [l](x)</b>\n```\n",
	} {
		if got := markup.Block(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := markup.Block(strings.Repeat("`\n", 1000)); strings.Contains(got, "cut") || strings.Count(got, "`") != 1000+6 {
		t.Errorf("%q", got)
	}
}

// TestElements checks that the web view's list is no longer than needed. checkHTML checks
// for every input that HTML writes no other elements.
func TestElements(t *testing.T) {
	sample := "# a\n## b\n### c\n#### d\n##### e\n###### f\n\n*a* **b** ~~c~~ `d` https://x.test\\\ny\n\n" +
		"***\n\n- a\n\n1. b\n\n> c\n\n```\nd\n```\n\n|a|\n|-|\n|b|\n"
	out := markup.HTML(sample, markup.Options{})
	for _, name := range markup.Elements() {
		if !strings.Contains(out, "<"+name+">") && !strings.Contains(out, "<"+name+" ") {
			t.Errorf("no <%s> in %s", name, out)
		}
	}
}
