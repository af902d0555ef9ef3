package doctor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup"
	"github.com/signalbox-dev/signalbox/lsp/agents"
)

// report writes what a person may attach to a report of a fault. It is made of numbers and of
// words of Signalbox's own: nothing in it is a text, a name or a path of anybody's.
func (c *checkup) report(ctx context.Context) error {
	out := c.Options.Findings()
	const counted = "counted"
	out.Fact("report", "no mail, name or path is in it; read it before you send it", "signalbox doctor --report")
	out.Fact("version", c.Version, runtime.GOOS+"/"+runtime.GOARCH+", "+runtime.Version())
	out.Fact("directory", withoutPath(c.Locate().Origin), "how it was chosen")
	out.Fact("alias", withoutPath(c.Who().Origin), "how it was chosen")

	rules := make(map[string]int)
	c.Findings = cli.CountFindings(rules)
	checked := "all"
	if err := c.look(ctx); err != nil && len(rules) == 0 {
		checked = "ended early, with an error" // whose text may have a path in it
	}
	out.Fact("checks", checked, "run signalbox doctor to see them")
	if c.summary != nil {
		out.Fact("mail", fmt.Sprintf("%s, %s, %s", cli.Plural(c.summary.Logs, "log"), cli.Plural(c.summary.Records, "record"), cli.Plural(c.summary.Malformed, "malformed line")), counted)
	}
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		out.Fact("rule", cmp.Or(rule, "none"), cli.Plural(rules[rule], "problem"))
	}
	states, err := setup.Check(c.Options)
	if err != nil {
		return out.End(err)
	}
	for _, st := range states {
		out.Fact("agents", st.Title, string(st.State))
	}
	sessions := make(map[string]int)
	list, unread := agents.At(c.Env.StateDir()).List(c.Now().UnixMilli())
	for i := range list {
		sessions[list[i].Client+", "+string(list[i].State)]++
	}
	for _, kind := range slices.Sorted(maps.Keys(sessions)) {
		out.Fact("sessions", kind, fmt.Sprint(sessions[kind]))
	}
	if len(unread) > 0 {
		out.Fact("sessions", "cannot be read", fmt.Sprint(len(unread)))
	}
	return out.End(nil)
}

// withoutPath returns where a choice came from. An absolute path, as of an alias file, is replaced by
// words, since the report must not contain paths.
func withoutPath(origin string) string {
	if filepath.IsAbs(origin) {
		return "a file in a folder above"
	}
	return origin
}
