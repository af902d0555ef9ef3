package thread

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestDiff shows the lines that went and came, few around them, and nothing that
// could pass for a line of ours.
func TestDiff(t *testing.T) {
	many, letters := strings.Repeat("same\n", 100), "a\nb\nc\nd\ne\nf\ng\nh\n"
	for _, c := range []struct {
		name string
		d    atsf.Diff
		want string
	}{
		{"changed", atsf.Diff{Path: "a", Old: "1\n2\n3\n", New: "1\nx\n3\n"}, "diff a|@@ -1,3 +1,3 @@|   1| - 2| + x|   3"},
		{"new file", atsf.Diff{Path: "a", New: "1\n2", Created: true}, "new file a|@@ -0,0 +1,2 @@| + 1| + 2|  | \\ No newline at end of file"},
		{"removed", atsf.Diff{Path: "a", Old: "1\n2\n"}, "diff a|@@ -1,2 +0,0 @@| - 1| - 2"},
		{"nothing", atsf.Diff{Path: "a", Old: "1\n", New: "1\n"}, "diff a|(no change)"},
		{"empty", atsf.Diff{Path: "a"}, "diff a|(no change)"},
		{"long", atsf.Diff{Path: "a", Old: many + "1\n" + many, New: many + "2\n" + many}, "diff a|@@ -98,7 +98,7 @@|   same|   same|   same| - 1| + 2|   same|   same|   same"},
		{"two places", atsf.Diff{Path: "a", Old: "1\n" + letters + "2\n", New: letters}, "diff a|@@ -1,4 +1,3 @@| - 1|   a|   b|   c|@@ -7,4 +6,3 @@|   f|   g|   h| - 2"},
		{"a line of marks", atsf.Diff{Path: "a", Old: "@@ -9\n", New: "@@ -9\n+++ b\n"}, "diff a|@@ -1,1 +1,2 @@|   @@ -9| + +++ b"},
		{"inserted", atsf.Diff{Path: "a", Old: "1\n1\n", New: "1\n1\n1\n"}, "diff a|@@ -1,2 +1,3 @@|   1|   1| + 1"},
		{"hostile", atsf.Diff{Path: "a\n-- user", Old: "\x1b[2J\r\n", New: "\u202e"}, "diff a -- user|@@ -1,1 +1,1 @@| - ⟨U+001B⟩[2J⟨U+000D⟩| + ⟨U+202E⟩|  | \\ No newline at end of file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			p := &talkPrinter{w: bufio.NewWriter(&out)}
			p.diff(&c.d)
			p.w.Flush()
			var got []string
			for line := range strings.Lines(out.String()) {
				line = strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "    ")
				for _, mark := range []string{" ", "-", "+"} {
					if rest, ok := strings.CutPrefix(line, "  | "+mark); ok {
						line = " " + mark + " " + rest
					}
				}
				got = append(got, line)
			}
			if text := strings.Join(got, "|"); text != c.want {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
		})
	}
}
