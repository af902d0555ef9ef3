package show_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"## Compare passwords":                    "Compare passwords",
		"> - [ ] **Fix** the `login` *bug*":       "Fix the login bug",
		"See [the plan](docs/plan.md) for __it__": "See the plan for it",
		"![picture](a.png) ~~old~~ new":           "picture old new",
		"[WIP] snake_case, 2 * 3 * 4, #12, C#":    "[WIP] snake_case, 2 * 3 * 4, #12, C#",
		"run *.go and *.ts":                       "run *.go and *.ts",
		"***":                                     "***",
		"\n# rename\n\n| a | b |\n|---|---|\n":    "rename",
		"| option | time |\n|---|---|\n| online | 40 |\n\nI take **online**. OK?": "I take online. OK?",
		"option | time\n:--|--:\nonline | 40\n\nWhich?":                           "Which?",
		"```go\nfunc a() {}\n```\nWhy is it slow?":                                "Why is it slow?",
		"~~~\n```\n~~~~\nafter":                                                   "after",
		"```inline``` code first":                                                 "inline code first",
		"> You said so.\n---\nI did not.":                                         "I did not.",
		"> You said so.":                                                          "You said so.",
		"| a | b |\n|---|---|":                                                    "a | b",
		"```\nFAIL cart.test.ts\n```":                                             "FAIL cart.test.ts",
		"---\n\n\U0001f44d":                                                       "\U0001f44d",
		"one\ntwo":                                                                "one",
		"":                                                                        "",
		strings.Repeat("a", 10<<10):                                               show.Title(strings.Repeat("a", 4<<10)),
	} {
		if got := show.Plain(in); got != want {
			t.Errorf("Plain(%.40q) = %q, want %q", in, got, want)
		}
	}
}

func TestQuestion(t *testing.T) {
	const table = "| option | time |\n|---|---|\n| online | 40 min |\n"
	long := strings.Repeat("word ", 60)
	for in, want := range map[string]string{
		"Keep `v1`?": "Keep v1?",
		"rename\n\n" + table + "\nI would take **online**. OK?": "rename. I would take online. OK?",
		long + "\n\n> quoted\n\nIs *this* ready?":               "Is this ready?",
		long + "\n\nWhich?\n\n" + table + "\n- [ ] a\n- [ ] b":  "Which?",
		"> Really?\n\n???": "???",
		"Urgent: drop it?": "Urgent: drop it?",
		strings.Repeat("x", 10<<10) + "\nSo **what**?": "So what?",
	} {
		q, asks := mail.Asked(in)
		if got := show.Question(&q); !asks || got != want {
			t.Errorf("%.40q asks %v: %q, want %q", in, asks, got, want)
		}
	}
}
