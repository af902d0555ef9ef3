package show_test

import (
	"strings"
	"testing"

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
		"":                                        "",
		strings.Repeat("a", 10<<10):               show.Title(strings.Repeat("a", 4<<10)),
	} {
		if got := show.Plain(in); got != want {
			t.Errorf("Plain(%.40q) = %q, want %q", in, got, want)
		}
	}
}
