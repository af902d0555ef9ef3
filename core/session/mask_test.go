package session_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/session"
)

func TestMask(t *testing.T) {
	long := strings.Repeat("aB3", 12)
	for in, want := range map[string]string{
		"":                                   "",
		"plain words":                        "plain words",
		"sk-" + "ant-api03-" + long + " end": "••• end",
		"a ghp" + "_" + long + ", b":         "a •••, b",
		"key AKIA" + "ABCDEFGHIJKLMNOP.":     "key •••.",
		"xoxb" + "-1234567890-abc":           "•••",
		"AIza" + long:                        "•••",
		"Authorization: Bearer " + long:      "Authorization: Bearer •••",
		`"api_key": "` + long + `", "n": 1`:  `"api_key": "•••", "n": 1`,
		"DB_PASSWORD=hunter2hunter2":         "DB_PASSWORD=•••",
		"postgres://bob:hunter2@db/x":        "postgres://bob:•••@db/x",
		"https://example.org/a:b@c":          "https://example.org/a:b@c",
		"-----BEGIN OPENSSH " + "PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\nx": "•••\nx",
		"eyJ" + "hbGciOiJIUzI1.eyJ" + "zdWIiOiIxMjM0.c2lnbmF0dXJl":                            "•••",
		"the token is short: ab": "the token is short: ab",
		"token count: 12":        "token count: 12",
		"6cf74224c4a9837c":       "6cf74224c4a9837c",
	} {
		if got := session.Mask(in); got != want {
			t.Errorf("%q becomes %q and not %q", in, got, want)
		}
	}
}
