package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/check"
)

// TestLetterRanges has a case for every rule that signed mail may break.
func TestLetterRanges(t *testing.T) {
	const att = `"attachments": [{"id": "att_1_a"`
	tests := []struct{ name, text string }{
		{"", signedMail},
		{"JSN-0", strings.TrimSuffix(signedMail, "}") + "«,»"},
		{"JSN-0", "«\ufeff»" + signedMail},
		{"JSN-0", "«[»]"},
		{"JSN-0", with(signedMail, `"m"`, `«"\ud800"»`)},
		{"JSN-1", with(signedMail, `"context": {}`, `"context": «null»`)},
		{"JSN-2", with(signedMail, `"thread_id"`, `"in_reply_to": «null», "thread_id"`)},
		{"JSN-3", with(signedMail, `"thread_id"`, `«"subject"»: "s", "thread_id"`)},
		{"JSN-4", with(signedMail, `"context": {}`, `"context": {"n": «1e999»}`)},
		{"JSN-4", with(signedMail, `"context": {}`, `"context": {"n": «NaN»}`)},
		{"JSN-5", with(signedMail, `"size": 1`, `"size": «1.0»`)},
		{"ENV-1", with(signedMail, `"amp/0.1"`, `«"amp/0.2"»`)},
		{"ENV-2", with(signedMail, `"id": "msg_1795249958_30328b7b"`, `"id": «"x"»`, `"thread_id"`, `"in_reply_to": "msg_1795249958_30328b7b", "thread_id"`)},
		{"ENV-3", with(signedMail, `"bob@acme.example"`, `«"bob"»`)},
		{"ENV-4", with(signedMail, `"subject": "s"`, `"subject": «"`+strings.Repeat("s", 257)+`"»`)},
		{"ENV-5", with(signedMail, `"normal"`, `«"soon"»`)},
		{"ENV-6", with(signedMail, `"2026-11-21T08:32:38Z"`, `«"today"»`)},
		{"ENV-7", with(signedMail, `"2026-11-28T08:32:38Z"`, `«"2026-11-20T08:32:38Z"»`)},
		{"ENV-9", with(signedMail, `"AAAAAAAA`, `«"?AAAAAAA`, `=="}`, `=="»}`)},
		{"ENV-10", with(signedMail, `"thread_id"`, `"in_reply_to": «"msg_1795249958_30328b7b"», "thread_id"`)},
		{"ENV-11", with(signedMail, `"thread_id": "msg_1795249958_30328b7b"`, `"thread_id": «"msg_1795249958_30328b7c"»`)},
		{"ENV-12", with(signedMail, `"thread_id"`, `"idempotency_key": «7», "thread_id"`)},
		{"IDK-1", with(signedMail, `"thread_id"`, `"idempotency_key": «"x"», "thread_id"`)},
		{"PAY-1", with(signedMail, `"request"`, `«"wish"»`)},
		{"PAY-2", with(signedMail, `"request"`, `«"a:"»`)},
		{"PAY-3", with(signedMail, `"m"`, `«"`+strings.Repeat("m", 65537)+`"»`)},
		{"PAY-4", with(signedMail, `"context": {}`, `"context": «[»]`)},
		{"PAY-6", with(signedMail, `"attachments": [`, `"attachments": «7», "was": [`)},
		{"PAY-7", with(signedMail, `"payload": {`, `"payload": «"x"», "was": {`)},
		{"PAY-8", with(signedMail, `"context": {}`, `"context": {}`, "{", "«{»", `"m"`, `"`+strings.Repeat("m", 520<<10)+`"`)},
		{"ATT-3", with(signedMail, `"size": 1`, `"size": «-1»`)},
		{"ATT-4", with(signedMail, `"f.txt"`, `«"`+strings.Repeat("f", 256)+`"»`)},
		{"ATT-5", with(signedMail, `"clean"`, `«"fine"»`)},
		{"ATT-6", with(signedMail, `"clean"`, `«"pending"»`)},
		{"ATT-7", with(signedMail, `"clean"`, `«"rejected"»`)},
		{"ATT-8", with(signedMail, `"expires_at": "2026-11-28T08:32:38Z"}`, `"expires_at": «"2026-11-22T08:32:38Z"»}`)},
		{"ATT-9", with(signedMail, `"size": 1`, `"size": «99999999»`)},
		{"ATT-10", with(signedMail, `"f.txt"`, `«"a/f.txt"»`)},
		{"ATT-11", with(signedMail, `"f.txt"`, `«"f f.txt"»`)},
		{"ATT-12", with(signedMail, `"f.txt"`, `«"nul.txt"»`)},
		{"ATT-13", with(signedMail, `"f.txt"`, `«".f.txt"»`)},
		{"ATT-14", with(signedMail, `"f.txt"`, `«"a%2Ff.txt"»`)},
		{"ATT-15", with(signedMail, att, `"attachments": [{"id": «"x"»`)},
		{"ATT-22", with(signedMail, `"sha256:e3`, `«"md5:e3`, `855"`, `855"»`)},
		{"STO-2", with(signedMail, `"received_at": "2026-11-21T08:32:38Z"`, `"received_at": «7»`)},
		{"STO-3", with(signedMail, `"unread"`, `«"new"»`)},
		{"STO-4", with(signedMail, `"trust_level": "verified"`, `"trust_level": «"full"»`)},
		{"STO-5", with(signedMail, `"trust_level": "verified"`, `"wrapped": «7»`)},
	}
	for i, tt := range tests {
		t.Run(fmt.Sprint(i, " ", tt.name), func(t *testing.T) {
			text, spans := marked(tt.text)
			c, err := check.Check(t.Context(), document(letterFile, text), check.NoStores{}, nil)
			if err != nil || c == nil {
				t.Fatalf("%+v, %v", c, err)
			}
			var want []string
			for _, s := range spans {
				want = append(want, fmt.Sprintf("%s at %d to %d", tt.name, s[0], s[1]))
			}
			if diff := cmp.Diff(want, placed(t, text, c.Found)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLetterTrust: what a signature is worth is said at the signature.
func TestLetterTrust(t *testing.T) {
	signature := signedMail[strings.Index(signedMail, `"AAAA`) : strings.Index(signedMail, `=="`)+3]
	for _, tt := range []struct {
		state    amp.State
		severity check.Severity
		rule     string
	}{
		{amp.TrustVerified, check.Information, "SIG-7"},
		{amp.TrustExternal, check.Information, "SIG-7"},
		{amp.TrustKeyUnknown, check.Information, "SIG-7"},
		{amp.TrustUntrusted, check.Warning, "SIG-7"},
		{amp.TrustKeyMismatch, check.Warning, "SIG-7"},
		{amp.TrustReplayed, check.Warning, "SIG-7"},
		{amp.TrustRepeated, check.Information, "SIG-7"},
		{amp.TrustExpired, check.Warning, "ENV-7"},
	} {
		stores := trusting{trust: amp.Trust{State: tt.state, Reason: "because\x1b"}}
		c, err := check.Check(t.Context(), check.Document{File: letterFile, Text: signedMail}, stores, nil)
		if err != nil || len(c.Found) != 1 || !c.Outside {
			t.Fatalf("%+v, %v", c, err)
		}
		d := c.Found[0]
		placed(t, signedMail, c.Found)
		if d.Rule != tt.rule || d.Severity != tt.severity || signedMail[d.Start:d.End] != signature || !strings.HasPrefix(d.Message, string(tt.state)) {
			t.Errorf("%+v", d)
		}
	}
	unsigned := strings.Replace(signedMail, signature, `""`, 1)
	c, err := check.Check(t.Context(), check.Document{File: letterFile, Text: unsigned}, neighbours(t), nil)
	if err != nil || slices.ContainsFunc(c.Found, func(d check.Diagnostic) bool { return d.Rule == "SIG-7" }) {
		t.Errorf("%+v, %v", c, err)
	}
}
