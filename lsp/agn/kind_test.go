package agn

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// TestKind takes a file for what it counts as where the directory is read (AGN E0
// E12 E13 X9).
func TestKind(t *testing.T) {
	message, id := string(dispatch("T-2026-001", 1, "x")), dispatchID("T-2026-001", 1)
	bad := strings.Replace(message, `"low"`, `"huge"`, 1)
	for _, c := range []struct{ file, data, want string }{
		{own("T-2026-001", 1), message, "message"},
		{"messages/x.json", "", "message"},
		{"messages/a/b/c.json", "{}", "message"},
		{"messages/.a/c.json", "{}", ""},
		{"messages/.c.json", "{}", ""},
		{"messages/c.JSON", message, ""},
		{"messages/c.txt", message, ""},
		{"inbox/x.json", message, "message"},
		{"inbox/x.json", bad, "message"},
		{"inbox/x.json", message[:len(message)-9], "message"},
		{"inbox/x.json", "{", ""},
		{"inbox/x.json", "", ""},
		{"inbox/x.json", "\ufeff" + `{"a":1}`, ""},
		{"inbox/x.json", `{"requires_ack":true}`, ""},
		{"node_modules/x.json", message, ""},
		{"big.json", message + strings.Repeat(" ", maxRead), ""},
		{"acks/x.json", string(ack(id, 1)), "ack"},
		{"acks/x.json", "{}", "ack"},
		{"acks/x.json", message, "message"},
		{"acks/deep/x.json", string(ack(id, 1)), ""},
		{"resumes/x.json", "", "resume"},
		{"resumes/x.json", string(resume(id, 1)), "resume"},
		{"tasks/x.json", string(taskFile("T-2026-001")), "task"},
		{"tasks/T-2026-001.json", "[]", "task"},
		{"tasks/x.json", "[]", ""},
		{"x.json", string(agn.AppendRejection(nil, rejection("a", "1"))), ""},
	} {
		if got := Kind(c.file, []byte(c.data)); got != c.want {
			t.Errorf("%s %.40q: %q, want %q", c.file, c.data, got, c.want)
		}
		b := newReadFixture(t)
		b.Mkdir(inMessages) // in another layout nothing in tasks is ours
		b.Put(c.file, []byte(c.data))
		s := b.scan()
		found := len(s.Tasks)+len(s.Rejected) > 0
		for _, p := range s.Problems {
			found = found || p.Path == c.file && !strings.Contains(p.Reason, "longer than")
		}
		if found != (c.want != "") {
			t.Errorf("%s %.40q: reading found %q", c.file, c.data, brief(s))
		}
	}
}
