package ops

import (
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// TestMailResults checks the shapes of the ops about all formats, and of those that
// make text safe to show.
func TestMailResults(t *testing.T) {
	two := bare + "\n" + other + "\n" + strings.Replace(other, `"ts":1,"from":"c"`, `"ts":7,"from":"a"`, 1) + "\n{\n"
	for _, c := range []struct {
		name string
		op   abi.Op
		a, b string
		want string
	}{
		{"detect a log", abi.MailDetect, `{"name":"x"}`, bare, `{"protocol":"samp","kind":"log","certainty":"content","reason":"a line has \"ts\", \"from\", \"to\" and more of a record"}`},
		{"detect by the name", abi.MailDetect, `{"name":"a/.agent/config.json"}`, "", `{"protocol":"atsf","kind":"config","certainty":"name","reason":"it is named as one, and its content does not show what it is"}`},
		{"detect nothing", abi.MailDetect, ``, "AMP", `{"protocol":null,"kind":null,"certainty":null,"reason":"neither the name nor the content is that of a format"}`},
		{"links", abi.MailLinks, `{"limit":2}`, "é [thread:a b] T-2026-001 3a8e80c1cec9cb05", `{"mentions":[{"kind":"thread","offset":11,"length":3,"token":"a b"},{"kind":"thread","offset":16,"length":10,"token":"T-2026-001"}],"more":1}`},
		{"no links", abi.MailLinks, ``, "", `{"mentions":[],"more":0}`},
		{"line", abi.RenderLine, `{"max":4}`, "a\u202eb\nc", `{"line":"a…","cut":true}`},
		{"whole line", abi.RenderLine, ``, " a\xff \n\tb ", `{"line":"a⟨0xFF⟩ b","cut":false}`},
		{"text", abi.RenderText, ``, "a\u200b\r\nb\x1b", "a⟨U+200B⟩\nb⟨U+001B⟩"},
		{"Markdown", abi.RenderMarkdown, `{"topHeading":3}`, "# A <b>x</b>", "### A \\<b>x\\</b>\n"},
		{"HTML", abi.RenderHTML, ``, "# A <b>x</b>", "<h1>A &lt;b&gt;x&lt;/b&gt;</h1>\n"},
		{"escape", abi.RenderEscape, ``, "*a*\n# b", `\*a\* \# b`},
		{"code", abi.RenderCode, ``, "a`b", "``a`b``"},
		{"block", abi.RenderBlock, ``, "a\n```\n", "````\na\n```\n````\n"},
		{"threads", abi.SAMPThreads, oneLog(`"limit":1`, two), two, `{"threads":[{"thread":"u","count":1,"first":7,"parties":["a","b"],"last":{"id":"THEID","ts":7,"from":"a","to":"b","thread":"u","body":"x","log":"log-a.jsonl","offset":OFFSET,"filing":"own","form":"missing"}}],"more":1,"suspicious":1,"replicas":0,"lines":4,"malformed":1}`},
		{"threads of a reader", abi.SAMPThreads, oneLog(`"me":"nobody"`, two), two, `{"threads":[],"more":0,"suspicious":0,"replicas":0,"lines":4,"malformed":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			result, ok := Call(nil, c.op, []byte(c.a), []byte(c.b))
			want := strings.ReplaceAll(c.want, "OFFSET", strconv.Itoa(len(bare)+len(other)+2))
			if id, _, found := strings.Cut(string(result)[strings.Index(string(result), `"id":"`)+6:], `"`); found {
				want = strings.ReplaceAll(want, "THEID", id)
			}
			if !ok || string(result) != want {
				t.Errorf("got %v\n%s\nwant\n%s", ok, result, want)
			}
		})
	}
}

// TestMailRefusals checks what these ops refuse.
func TestMailRefusals(t *testing.T) {
	huge := strings.Repeat("x", abi.MaxShown+1)
	for _, c := range []struct {
		name string
		op   abi.Op
		a, b string
		want string
	}{
		{"a name that is a number", abi.MailDetect, `{"name":5}`, "", `"code":"BadArgument"`},
		{"an unknown parameter", abi.MailDetect, `{"path":"x"}`, "", `"code":"BadArgument"`},
		{"a text that is none", abi.MailLinks, ``, "\xff", `"code":"BadArgument"`},
		{"a negative limit", abi.MailLinks, `{"limit":-1}`, "", `"code":"BadArgument"`},
		{"a large limit", abi.MailLinks, `{"limit":100001}`, "", `"code":"BadArgument"`},
		{"a negative length", abi.RenderLine, `{"max":-1}`, "", `"code":"BadArgument"`},
		{"a length beyond 32 bits", abi.RenderLine, `{"max":4294967296}`, "", `"code":"BadArgument"`},
		{"no bytes", abi.RenderHTML, `{"maxBytes":0}`, "", `"code":"BadArgument"`},
		{"bytes beyond 32 bits", abi.RenderMarkdown, `{"maxBytes":4294967297}`, "", `"code":"BadArgument"`},
		{"heading 0", abi.RenderMarkdown, `{"topHeading":0}`, "", `"code":"BadArgument"`},
		{"heading 7", abi.RenderHTML, `{"topHeading":7}`, "", `"code":"BadArgument"`},
		{"an option of another op", abi.RenderText, `{"max":7}`, "", `"code":"BadArgument"`},
		{"a long line", abi.RenderLine, `{"max":7}`, huge, `"code":"TooLarge"`},
		{"a long text", abi.RenderText, ``, huge, `"code":"TooLarge"`},
		{"long Markdown", abi.RenderMarkdown, ``, huge, `"code":"TooLarge"`},
		{"an empty reader", abi.SAMPThreads, `{"me":"","logs":[]}`, "", `"code":"BadArgument"`},
		{"no logs", abi.SAMPThreads, ``, "", `"code":"BadArgument"`},
		{"a log beyond the input", abi.SAMPThreads, `{"logs":[{"name":"log-a.jsonl","length":1}]}`, "", `"code":"BadArgument"`},
		{"a limit of threads", abi.SAMPThreads, `{"limit":-1,"logs":[]}`, "", `"code":"BadArgument"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if result, ok := Call(nil, c.op, []byte(c.a), []byte(c.b)); ok || !strings.Contains(string(result), c.want) {
				t.Errorf("got %v %.200s", ok, result)
			}
		})
	}
}
