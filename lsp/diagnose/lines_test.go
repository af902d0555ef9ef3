package diagnose_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/diagnose"
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
		text, last := "", (*diagnose.Checked)(nil)
		for range 2000 {
			from := rng.IntN(len(text) + 1)
			to := from + rng.IntN(min(len(text)-from, 200)+1)
			piece := ""
			if len(text) < 3000 {
				piece = pieces[rng.IntN(len(pieces))]
			}
			text = text[:from] + piece + text[to:]
			doc := document(file, text)
			again, err := diagnose.Check(t.Context(), doc, stores, last)
			if err != nil {
				t.Fatal(err)
			}
			anew, err := diagnose.Check(t.Context(), doc, stores, nil)
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
		for _, file := range []string{"/x/.message/log-bob.jsonl", seenBob, turnsFile, threadFile, configFile, letterFile} {
			c, err := diagnose.Check(t.Context(), document(file, text), neighbours(t), nil)
			if err != nil {
				t.Fatalf("%s in %s: %v", name, file, err)
			}
			if c == nil {
				if len(text) > 1<<20 && file == letterFile {
					continue // longer than any mail
				}
				t.Fatalf("%s in %s is not known", name, file)
			}
			if len(c.Found) > 2*diagnose.MaxDiagnostics+1 {
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
			if _, err := diagnose.Fixes(t.Context(), document(file, text), neighbours(t), 0, len(text)); err != nil {
				t.Errorf("%s in %s: %v", name, file, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := diagnose.Check(ctx, diagnose.Document{File: turnsFile, Text: turn}, diagnose.NoStores{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestFileFixes: what is the reader's own to mend is mended, and nothing else is
// offered.
func TestFileFixes(t *testing.T) {
	stores := neighbours(t)
	r := built(t, "bob", "hi", markNow-50)
	rec := string(r.Append(nil))
	bare := strings.TrimSuffix(rec, "\n")
	noID := "{" + strings.TrimPrefix(rec, `{"id": "`+r.ID+`", `)
	old := built(t, "alice", "hello", 1776999990)
	for _, tt := range []struct {
		name, file, text string
		title, want      string // of the first fix; no title: none is offered
	}{
		{"torn", logBob, rec + bare, "Add the missing line end", rec + rec},
		{"torn, another's", "/m/log-alice.jsonl", rec + bare, "", ""},
		{"torn and no record", logBob, rec + bare[:20], "Remove the unfinished line, which readers skip", rec},
		{"no record", logBob, rec + "garbage\n" + rec, "Remove the line, which readers skip", rec + rec},
		{"no record, another's", "/m/log-alice.jsonl", rec + "garbage\n" + rec, "", ""},
		{"byte order mark", logBob, "\ufeff" + rec, "Remove the byte order mark", rec},
		{"no id", logBob, noID, "Set the id to " + r.ID + ", as readers compute it", rec},
		{"empty id", logBob, strings.Replace(rec, r.ID, "", 1), "Set the id to " + r.ID + ", as readers compute it", rec},
		{"wrong id", logBob, strings.Replace(rec, r.ID, "0000000000000000", 1), "", ""},
		{"misfiled", logBob, string(old.Append(nil)), "", ""},

		{"watermark in the future", seenBob, `{"ts": 1777000100, "ids": []}`, "", ""},
		{"no watermark", seenBob, "garbage\n", "", ""},

		{"counts", threadFile, strings.Replace(whole, `Count":2`, `Count":3`, 1), "Set stats.messageCount to 2, as in messages.jsonl", whole},
		{"signed", letterFile, strings.Replace(signedMail, `{}`, "null", 1), "", ""},
		{"turns", turnsFile, turn + turn, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := document(tt.file, tt.text)
			list, err := diagnose.Fixes(t.Context(), doc, stores, 0, len(tt.text))
			if err != nil || (len(list) == 0) != (tt.title == "") {
				t.Fatalf("%+v, %v", list, err)
			}
			if len(list) == 0 {
				return
			}
			if got := edited(t, tt.text, &list[0]); list[0].Title != tt.title || got != tt.want {
				t.Errorf("%s: %s", list[0].Title, cmp.Diff(tt.want, got))
			}
			doc.Text = tt.want
			c, err := diagnose.Check(t.Context(), doc, stores, nil)
			if err != nil || len(c.Found) > 0 {
				t.Errorf("%+v, %v", c, err)
			}
			if list, err = diagnose.Fixes(t.Context(), document(tt.file, tt.text), stores, len(tt.text)+5, len(tt.text)+5); err != nil {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}
