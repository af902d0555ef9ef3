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
	results(t, []good{
		{"detect a log", abi.MailDetect, `{"name":"x"}`, bare, `{"protocol":"samp","kind":"log","certainty":"content","reason":"a line has \"ts\", \"from\", \"to\" and more of a record"}`, false},
		{"detect by the name", abi.MailDetect, `{"name":"a/.agent/config.json"}`, "", `{"protocol":"atsf","kind":"config","certainty":"name","reason":"it is named as one, and its content does not show what it is"}`, false},
		{"detect nothing", abi.MailDetect, ``, "AMP", `{"protocol":null,"kind":null,"certainty":null,"reason":"neither the name nor the content is that of a format"}`, false},
		{"links", abi.MailLinks, `{"limit":2}`, "é [thread:a b] T-2026-001 3a8e80c1cec9cb05", `{"mentions":[{"kind":"thread","offset":11,"length":3,"token":"a b"},{"kind":"thread","offset":16,"length":10,"token":"T-2026-001"}],"more":1}`, false},
		{"no links", abi.MailLinks, ``, "", `{"mentions":[],"more":0}`, false},
		{"line", abi.RenderLine, `{"max":4}`, "a\u202eb\nc", `{"line":"a…","cut":true}`, false},
		{"whole line", abi.RenderLine, ``, " a\xff \n\tb ", `{"line":"a⟨0xFF⟩ b","cut":false}`, false},
		{"text", abi.RenderText, ``, "a\u200b\r\nb\x1b", "a⟨U+200B⟩\nb⟨U+001B⟩", false},
		{"Markdown", abi.RenderMarkdown, `{"topHeading":3}`, "# A <b>x</b>", "### A \\<b>x\\</b>\n", false},
		{"HTML", abi.RenderHTML, ``, "# A <b>x</b>", "<h1>A &lt;b&gt;x&lt;/b&gt;</h1>\n", false},
		{"escape", abi.RenderEscape, ``, "*a*\n# b", `\*a\* \# b`, false},
		{"code", abi.RenderCode, ``, "a`b", "``a`b``", false},
		{"block", abi.RenderBlock, ``, "a\n```\n", "````\na\n```\n````\n", false},
		{"threads", abi.SAMPThreads, oneLog(`"limit":1`, two), two, `{"threads":[{"thread":"u","count":1,"first":7,"parties":["a","b"],"last":{"id":"adfea80d5ec3936a","ts":7,"from":"a","to":"b","thread":"u","body":"x","log":"log-a.jsonl","offset":` + strconv.Itoa(len(bare)+len(other)+2) + `,"filing":"own","form":"missing"}}],"more":1,"suspicious":1,"replicas":0,"lines":4,"malformed":1}`, false},
		{"threads of a reader", abi.SAMPThreads, oneLog(`"me":"nobody"`, two), two, `{"threads":[],"more":0,"suspicious":0,"replicas":0,"lines":4,"malformed":1}`, false},
	})
}

// TestMailRefusals checks what these ops refuse.
func TestMailRefusals(t *testing.T) {
	huge := strings.Repeat("x", abi.MaxShown+1)
	failures(t, []failing{
		{"a name that is a number", abi.MailDetect, `{"name":5}`, "", abi.BadArgument, ""},
		{"an unknown parameter", abi.MailDetect, `{"path":"x"}`, "", abi.BadArgument, ""},
		{"a text that is none", abi.MailLinks, ``, "\xff", abi.BadArgument, ""},
		{"a negative limit", abi.MailLinks, `{"limit":-1}`, "", abi.BadArgument, ""},
		{"a large limit", abi.MailLinks, `{"limit":100001}`, "", abi.BadArgument, ""},
		{"a negative length", abi.RenderLine, `{"max":-1}`, "", abi.BadArgument, ""},
		{"a length beyond 32 bits", abi.RenderLine, `{"max":4294967296}`, "", abi.BadArgument, ""},
		{"no bytes", abi.RenderHTML, `{"maxBytes":0}`, "", abi.BadArgument, ""},
		{"bytes beyond 32 bits", abi.RenderMarkdown, `{"maxBytes":4294967297}`, "", abi.BadArgument, ""},
		{"heading 0", abi.RenderMarkdown, `{"topHeading":0}`, "", abi.BadArgument, ""},
		{"heading 7", abi.RenderHTML, `{"topHeading":7}`, "", abi.BadArgument, ""},
		{"an option of another op", abi.RenderText, `{"max":7}`, "", abi.BadArgument, ""},
		{"a long line", abi.RenderLine, `{"max":7}`, huge, abi.TooLarge, ""},
		{"a long text", abi.RenderText, ``, huge, abi.TooLarge, ""},
		{"long Markdown", abi.RenderMarkdown, ``, huge, abi.TooLarge, ""},
		{"an empty reader", abi.SAMPThreads, `{"me":"","logs":[]}`, "", abi.BadArgument, ""},
		{"no logs", abi.SAMPThreads, ``, "", abi.BadArgument, ""},
		{"a log beyond the input", abi.SAMPThreads, `{"logs":[{"name":"log-a.jsonl","length":1}]}`, "", abi.BadArgument, ""},
		{"a limit of threads", abi.SAMPThreads, `{"limit":-1,"logs":[]}`, "", abi.BadArgument, ""},
	})
}
