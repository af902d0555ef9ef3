package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
)

// FuzzShownJSON means the same as the line did, and is safe to show.
func FuzzShownJSON(f *testing.F) {
	for _, s := range []string{
		`{"a":"b"}`, "{\"a\":\"\u202e \U000e0041 \u007f \u0085\"}", "{\t\"ü\" : [1e400, null]}\r", "\"\U0001f469\u200d\U0001f4bb\"", `"\u202e\ud83d"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) || bytes.ContainsRune(raw, '\n') || strings.ToValidUTF8(string(raw), "") != string(raw) {
			return
		}
		out := ShownJSON(raw)
		if render.Text(string(out)) != string(out) {
			t.Fatalf("%q is not safe", out)
		}
		read := func(data []byte) (v any) {
			d := json.NewDecoder(bytes.NewReader(data))
			d.UseNumber()
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%q: %v", data, err)
			}
			return v
		}
		if was, now := read(raw), read(out); !reflect.DeepEqual(was, now) {
			t.Fatalf("%q is %v, was %v", out, now, was)
		}
	})
}

// FuzzPrint holds --json to one safe line that a JSON parser reads back.
func FuzzPrint(f *testing.F) {
	for _, s := range []string{"", "plain", "é", "\u202e", "\x1b[2J", "\u0085\x7f", "\xff", "\ud7ff\U0001f600", "\u2028", strings.Repeat("aé\u202e", 9000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var out bytes.Buffer
		w := bufio.NewWriter(&out)
		type inner struct {
			L []string `json:"l"`
		}
		err := Print(w, struct {
			S string `json:"s"`
			N int64  `json:"n"`
			B bool   `json:"b"`
			inner
			M map[string]string `json:"m"`
			E *inner            `json:"e,omitempty"`
			R json.RawMessage   `json:"r,omitempty"`
		}{s, -1, true, inner{[]string{s, "x"}}, map[string]string{"k": s}, nil, json.RawMessage("{\n \"a\":\t1.0}")})
		w.Flush()
		if err != nil {
			t.Fatal(err)
		}
		line, ok := strings.CutSuffix(out.String(), "\n")
		if !ok || strings.Contains(line, "\n") || render.Text(line) != line {
			t.Fatalf("not one safe line: %q", out.String())
		}
		var back struct {
			S string
			N int
			B bool
			L []string
			M map[string]string
			R json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &back); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		if want := s; utf8.ValidString(s) && (back.S != want || back.L[0] != want || back.L[1] != "x" || back.N != -1 || !back.B || back.M["k"] != want || string(back.R) != `{"a":1.0}`) {
			t.Errorf("%q came back as %+v", s, back)
		}
	})
}
