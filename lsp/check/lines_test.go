package check_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/check"
)

// TestCheckedAgain: what is found in a changed document is what is found in it
// anew, whatever was changed.
func TestCheckedAgain(t *testing.T) {
	stores := neighbours(t)
	r := built(t, "bob", "hi", 1)
	good := string(r.Append(nil))
	pieces := []string{good, good[:30], "\n", "x", turn, turn[:50], "\n\n", "\ufeff", "é𝄞", `"m1"`, "\r\n", `{"id":"m1"}` + "\n"}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, file := range []string{"/x/.message/log-bob.jsonl", turnsFile} {
		text, last := "", (*check.Checked)(nil)
		for range 2000 {
			from := rng.IntN(len(text) + 1)
			to := from + rng.IntN(min(len(text)-from, 200)+1)
			piece := ""
			if len(text) < 3000 {
				piece = pieces[rng.IntN(len(pieces))]
			}
			text = text[:from] + piece + text[to:]
			doc := document(file, text)
			again, err := check.Check(t.Context(), doc, stores, last)
			if err != nil {
				t.Fatal(err)
			}
			anew, err := check.Check(t.Context(), doc, stores, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(anew.Found, again.Found); diff != "" {
				t.Fatalf("%s: %q: %s", file, text, diff)
			}
			last = again
		}
	}
}

// TestBadDocuments: whatever a file of ours holds, what is said of it is bounded.
func TestBadDocuments(t *testing.T) {
	random := make([]byte, 1<<20)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range random {
		random[i] = byte(rng.Uint32())
	}
	deep := strings.Repeat(`{"a":`, 10_000)
	for name, text := range map[string]string{
		"random":        strings.ToValidUTF8(string(random), "\ufffd"),
		"bytes":         string(random[:4096]),
		"NULs":          strings.Repeat("\x00", 1<<20),
		"one line":      `{"from":"a","thread":"t","body":"` + strings.Repeat("é", 5<<20) + `"}`,
		"too long":      strings.Repeat("x", 13<<20),
		"many lines":    strings.Repeat("x\n", 400_000),
		"many notes":    strings.Repeat(`{"ts":1,"from":"bob","to":"b","thread":"","body":""}`+"\n", 3000),
		"deep":          deep,
		"deep lines":    strings.Repeat(deep[:400]+"\n", 100),
		"deeper arrays": strings.Repeat("[", 100_000),
		"CRLF":          strings.Repeat(turn[:len(turn)-1]+"\r\n", 3),
		"BOM":           "\ufeff" + turn,
		"CR":            strings.Repeat("x\r", 1000),
		"empty":         "",
		"ends":          "\n\n\r\n\r",
	} {
		for _, file := range []string{"/x/.message/log-bob.jsonl", turnsFile, threadFile, configFile, letterFile} {
			c, err := check.Check(t.Context(), document(file, text), neighbours(t), nil)
			if err != nil {
				t.Fatalf("%s in %s: %v", name, file, err)
			}
			if c == nil {
				if len(text) > 1<<20 && file == letterFile {
					continue // longer than any mail
				}
				t.Fatalf("%s in %s is not known", name, file)
			}
			if len(c.Found) > 2*check.MaxDiagnostics+1 {
				t.Errorf("%s in %s: %d findings", name, file, len(c.Found))
			}
			for _, d := range c.Found {
				if d.Start < 0 || d.Start > d.End || d.End > len(text) || strings.ContainsAny(d.Message, "\n\x1b\x00") || len(d.Message) > 2000 {
					t.Fatalf("%s in %s: %+v", name, file, d)
				}
			}
			over := name == "too long" || name == "many lines" || name == "many notes"
			if limited := len(c.Found) > 0 && c.Found[0].Rule == "limit"; over && !limited && (file == turnsFile || strings.Contains(file, "log-")) {
				t.Errorf("%s in %s: %+v", name, file, c.Found[0])
			}
			if _, err := check.Fixes(t.Context(), document(file, text), neighbours(t), 0, len(text)); err != nil {
				t.Errorf("%s in %s: %v", name, file, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check.Check(ctx, check.Document{File: turnsFile, Text: turn}, check.NoStores{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestFixesOfTasksAlone offers nothing for what programs write and what is signed.
func TestFixesOfTasksAlone(t *testing.T) {
	r := built(t, "bob", "hi", markNow-50)
	rec := string(r.Append(nil))
	for _, tt := range []struct{ name, file, text string }{
		{"torn", logBob, strings.TrimSuffix(rec, "\n")},
		{"no record", logBob, rec + "garbage\n"},
		{"counts", threadFile, strings.Replace(whole, `Count":2`, `Count":3`, 1)},
		{"signed", letterFile, strings.Replace(signedMail, `{}`, "null", 1)},
		{"turns", turnsFile, turn + turn},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := document(tt.file, tt.text)
			if list, err := check.Fixes(t.Context(), doc, neighbours(t), 0, len(tt.text)); err != nil || len(list) > 0 {
				t.Fatalf("%+v, %v", list, err)
			}
			if c, err := check.Check(t.Context(), doc, neighbours(t), nil); err != nil || len(c.Found) == 0 {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}
