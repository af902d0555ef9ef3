package amp_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestIDs holds AMP ENV-2 and ATT-15: both clocks, and nothing that could be a path.
func TestIDs(t *testing.T) {
	for s, want := range map[string]amp.ID{
		"msg_1706648400_abc123":      {Seconds: 1706648400, Suffix: "abc123"},
		"msg_1706648400_xyz789def":   {Seconds: 1706648400, Suffix: "xyz789def"},
		"msg_1795249958451_30328b7b": {Seconds: 1795249958, Millis: true, Suffix: "30328b7b"},
		"msg-1706648400-Ab":          {Seconds: 1706648400, Suffix: "Ab", Dashes: true},
		"msg_1706648400-a":           {Seconds: 1706648400, Suffix: "a", Dashes: true},
		"msg_0_0":                    {Suffix: "0"},
		"msg_9999999999999999_z":     {Seconds: 9999999999999, Millis: true, Suffix: "z"},
	} {
		if id, ok := amp.ParseID(s); !ok || id != want {
			t.Errorf("AMP ENV-2: %q: %+v %t", s, id, ok)
		}
	}
	for _, s := range []string{
		"", "msg", "msg_", "msg__", "msg_1", "msg_1_", "msg__a", "_1_a", "MSG_1_a", "msg_1_a_b", "msg_1_a-b", "msg_1_a.json", "msg_1_a/..", `msg_1_a\b`, "msg_1_\x00",
		"msg_12345678901234567_a", "msg_-1_a", "msg_1.5_a", "msg_1_ä", "msg_١_a", "att_1_a", "msg_1_" + strings.Repeat("a", 200), " msg_1_a", "msg_1_a\n",
	} {
		if id, ok := amp.ParseID(s); ok {
			t.Errorf("AMP ENV-2: %q is taken: %+v", s, id)
		}
		if _, ok := amp.ParseAttachmentID(strings.Replace(s, "msg", "att", 1)); ok && s != "att_1_a" {
			t.Errorf("AMP ATT-15: %q is taken", s)
		}
	}
	if id := amp.NewID(1706648400999, [8]byte{0xab, 7: 1}); id != "msg_1706648400_ab00000000000001" {
		t.Error(id)
	}
	if id := amp.NewAttachmentID(1706648400999, [8]byte{}); id != "att_1706648400_0000000000000000" {
		t.Error(id)
	}
}

// TestIdempotencyKey holds AMP IDK-1.
func TestIdempotencyKey(t *testing.T) {
	var random [16]byte
	for i := range random {
		random[i] = 0xff
	}
	for _, r := range [][16]byte{{}, random} {
		if k := amp.NewIdempotencyKey(r); !amp.ValidIdempotencyKey(k) {
			t.Error(k)
		}
	}
	if !amp.ValidIdempotencyKey("idk_550e8400-e29b-41d4-a716-446655440000") || !amp.ValidIdempotencyKey("idk_550E8400-E29B-41D4-B716-446655440000") {
		t.Error("the text's own example")
	}
	for _, s := range []string{"", "idk_", "550e8400-e29b-41d4-a716-446655440000", "IDK_550e8400-e29b-41d4-a716-446655440000", "idk_550e8400-e29b-11d4-a716-446655440000", "idk_550e8400-e29b-41d4-c716-446655440000", "idk_550e8400-e29b-41d4-\x18716-446655440000", "idk_550e8400_e29b-41d4-a716-446655440000", "idk_550e8400-e29b-41d4-a716-44665544000g", "idk_550e8400-e29b-41d4-a716-4466554400000"} {
		if amp.ValidIdempotencyKey(s) {
			t.Errorf("%q is taken", s)
		}
	}
}

// TestAddresses holds AMP ENV-3.
func TestAddresses(t *testing.T) {
	for _, s := range []string{"alice@acme.crabmail.ai", "rsa-agent@acme.aimaestro.local", "a_b@agents-web.github.23blocks.crabmail.ai", "A@b.c", strings.Repeat("x", 63) + "@a.b"} {
		if a, ok := amp.ParseAddress(s); !ok || a.String() != s {
			t.Errorf("%q is refused", s)
		}
	}
	for _, s := range []string{"", "alice", "alice@acme", "@a.b", "a@", "a@.b", "a@b.", "a@b..c", "a@b@c.d", "a b@c.d", "a/b@c.d", "..@c.d", "a.b@c.d", "a|b@c.d", "a@c.d|x", "ä@c.d", "a@c.d\n", strings.Repeat("x", 64) + "@a.b", "a@" + strings.Repeat("abcdefgh.", 30) + "z"} {
		if _, ok := amp.ParseAddress(s); ok {
			t.Errorf("%q is taken", s)
		}
	}
	a, _ := amp.ParseAddress("Bob@Acme.crabmail.ai")
	b, _ := amp.ParseAddress("bob@acme.crabmail.AI")
	c, _ := amp.ParseAddress("bob@acme.crabmail.com")
	if !a.Same(b) || a.Same(c) {
		t.Error("case")
	}
}

// TestFilenames holds AMP ATT-4, ATT-10, ATT-11, ATT-12, ATT-13 and ATT-14: a safe
// name or a refusal on reading, and a name for every file on composing that could be
// meant by it.
func TestFilenames(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ name, safe, rule, clean, cleanRule string }{
		{"puma.log", "puma.log", "", "puma.log", ""},
		{"Bericht März (final).txt", "Bericht_M_rz__final_.txt", "", "Bericht_M_rz__final_.txt", ""},
		{" .hidden. ", "hidden", "", "hidden", ""},
		{"a\u202etxt.exe", "a_txt.exe", "", "a_txt.exe", ""},
		{"100%.txt", "100_.txt", "", "100_.txt", ""},
		{"%252e", "_252e", "", "_252e", ""},
		{"a/b", "", "ATT-10", "", "ATT-10"},
		{`a\b`, "", "ATT-10", "", "ATT-10"},
		{"a\x00b", "", "ATT-10", "", "ATT-10"},
		{"a\nb", "", "ATT-10", "", "ATT-10"},
		{"a\x7fb", "", "ATT-10", "", "ATT-10"},
		{"CON", "", "ATT-12", "_CON", ""},
		{"con.txt", "", "ATT-12", "_con.txt", ""},
		{"NUL .x", "NUL_.x", "", "_NUL_.x", ""},
		{".aux.txt", "", "ATT-12", "_aux.txt", ""},
		{"COM0.txt", "COM0.txt", "", "COM0.txt", ""},
		{"lpt1", "", "ATT-12", "_lpt1", ""},
		{"console", "console", "", "console", ""},
		{"", "", "ATT-13", "", "ATT-13"},
		{"..", "", "ATT-13", "", "ATT-13"},
		{" . ", "", "ATT-13", "", "ATT-13"},
		{"..%2f..%2Fx", "", "ATT-14", "", "ATT-14"},
		{"a%5Cb", "", "ATT-14", "", "ATT-14"},
		{"a%25252fb", "", "ATT-14", "", "ATT-14"},
		{long + ".txt", "", "ATT-4", long[:250] + ".txt", ""},
		{long, "", "ATT-4", long[:254], ""},
	} {
		safe, err := amp.SafeFilename(c.name)
		if safe != c.safe || (err == nil) != (c.rule == "") || err != nil && fault(t, err).Rule != c.rule {
			t.Errorf("AMP ATT: %q: safe %q %v, want %q %s", c.name, safe, err, c.safe, c.rule)
		}
		clean, err := amp.CleanFilename(c.name)
		if clean != c.clean || (err == nil) != (c.cleanRule == "") || err != nil && fault(t, err).Rule != c.cleanRule {
			t.Errorf("AMP ATT: %q: clean %q %v, want %q %s", c.name, clean, err, c.clean, c.cleanRule)
		}
		if err == nil {
			if again, err := amp.SafeFilename(clean); err != nil || again != clean {
				t.Errorf("AMP ATT: %q is not safe itself: %v", clean, err)
			}
		}
	}
}

// TestContent holds AMP ATT-18 and ATT-22: content that is not what was signed is
// refused, whatever the digest's algorithm is called.
func TestContent(t *testing.T) {
	content := []byte("logs")
	a := amp.Attachment{Size: 4, Digest: amp.Digest(content)}
	if err := a.Check(content); err != nil {
		t.Error(err)
	}
	upper := amp.Attachment{Size: 4, Digest: "sha256:" + strings.ToUpper(a.Digest[7:])}
	if err := upper.Check(content); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		a       amp.Attachment
		content string
		rule    string
	}{
		"changed":           {a, "lags", "ATT-18"},
		"shorter":           {a, "log", "ATT-18"},
		"another size":      {amp.Attachment{Size: 5, Digest: a.Digest}, "logs", "ATT-18"},
		"another algorithm": {amp.Attachment{Size: 4, Digest: "md5:" + a.Digest[7:]}, "logs", "ATT-22"},
		"no algorithm":      {amp.Attachment{Size: 4, Digest: a.Digest[7:]}, "logs", "ATT-22"},
		"no digest":         {amp.Attachment{Size: 4}, "logs", "ATT-22"},
		"half a digest":     {amp.Attachment{Size: 4, Digest: a.Digest[:40]}, "logs", "ATT-3"},
	} {
		if err := c.a.Check([]byte(c.content)); err == nil || fault(t, err).Rule != c.rule {
			t.Errorf("AMP %s %s: %v", c.rule, name, err)
		}
	}
	if err := a.CheckSum(4, sha256.Sum256(content)); err != nil {
		t.Error(err)
	}
}
