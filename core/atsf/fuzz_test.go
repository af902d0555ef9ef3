package atsf_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// FuzzThread reads any thread.json, and repairs and renames what can be
// written.
func FuzzThread(f *testing.F) {
	for _, data := range fixtures(f, atsf.ThreadName) {
		f.Add(data, "title")
	}
	f.Add([]byte(whole), "\x00\u2028\"")
	f.Add([]byte("{\r\n\t\"specVersion\" : \"1.1\"\r\n}"), "")
	f.Add([]byte(`{"specVersion":"1.1","stats":[],"metadata":null}`), "x")
	f.Fuzz(func(t *testing.T, data []byte, title string) {
		before := bytes.Clone(data)
		th, err := atsf.ParseThread(data)
		if err != nil {
			if fault(t, err).Offset > len(data) {
				t.Fatal("a fault beyond the end")
			}
			return
		}
		if !bytes.Equal(th.Raw, before) {
			t.Fatal("the input was changed")
		}
		if out, err := atsf.Edit(data); err == nil && !bytes.Equal(out, before) {
			t.Fatal("no change changed the text")
		}
		if !utf8.ValidString(title) {
			return
		}
		out, err := atsf.Edit(data, atsf.SetTitle(title))
		if err != nil {
			return
		}
		checkOnly(t, before, out, "title", title)
		stats := atsf.Stats{Messages: 3, User: 2, Agent: 1, ToolCalls: 9}
		out, err = atsf.Repair(out, atsf.Tally{Stats: stats, Last: atsf.At(1739533500000)})
		if err != nil {
			return
		}
		th, err = atsf.ParseThread(out)
		if err != nil || th.Stats != stats || th.Updated.Millis != 1739533500000 || th.Title != title {
			t.Fatalf("%s: %v %+v", out, err, th)
		}
	})
}

// checkOnly fails if two objects differ in more than one member.
func checkOnly(t *testing.T, before, after []byte, name, want string) {
	t.Helper()
	var a, b map[string]json.RawMessage
	if json.Unmarshal(before, &a) != nil || json.Unmarshal(after, &b) != nil {
		t.Fatalf("not an object: %s", after)
	}
	var got string
	if err := json.Unmarshal(b[name], &got); err != nil || got != want {
		t.Fatalf("%s is %q, want %q", name, got, want)
	}
	delete(a, name)
	delete(b, name)
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("other members changed:\n%s\n%s", before, after)
	}
}

// FuzzEdit sets a member at any path to any value.
func FuzzEdit(f *testing.F) {
	for _, data := range fixtures(f, atsf.ThreadName) {
		f.Add(data, "metadata.a.b", []byte(`{"x":[1,{}],"y":"\n"}`))
	}
	for _, data := range []string{
		`{"specVersion":"1.1"}`, "{\n\t\"specVersion\": \"1.1\"\n}\n", `{ "specVersion" : "1.1" , "a" : { } }`, `{"specVersion":"1.1","a":null,"a,\"":{"b":1}}`,
		"{\r\n  \"a:\":\r\n1,\"specVersion\":\"1.1\"}",
	} {
		f.Add([]byte(data), "a.b", []byte(` [ ] `))
		f.Add([]byte(data), "c", []byte("{\n}"))
	}
	f.Fuzz(func(t *testing.T, data []byte, path string, value []byte) {
		names := strings.Split(path, ".")
		out, err := atsf.Edit(data, atsf.Change{Path: names, Value: value})
		if err != nil {
			fault(t, err)
			return
		}
		want, got := tree(t, value), tree(t, out)
		for _, name := range names {
			object, ok := got.(map[string]any)
			if !ok {
				t.Fatalf("%q is not there: %s", name, out)
			}
			got = object[name]
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s holds %v, want %v", out, got, want)
		}
		again, err := atsf.Edit(out, atsf.Change{Path: names, Value: value})
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("the same again: %v\n%s\n%s", err, out, again)
		}
	})
}

// FuzzMessage reads any line and writes every message back.
func FuzzMessage(f *testing.F) {
	for _, data := range fixtures(f, atsf.MessagesName) {
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			f.Add(line)
		}
	}
	for _, c := range badMembers {
		f.Add([]byte(strings.Replace(fullLine, c.old, c.now, 1)))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		before := bytes.Clone(line)
		m, err := atsf.ParseMessage(line)
		if err != nil {
			if canon.Valid(line) == nil && utf8.Valid(line) && bytes.HasPrefix(bytes.TrimLeft(line, " \t\r\n"), []byte("{")) {
				t.Fatalf("an object was refused: %v", err)
			}
			return
		}
		if !bytes.Equal(m.Raw, before) || !json.Valid(line) {
			t.Fatal("the input was changed, or is no JSON")
		}
		for _, b := range m.Content {
			if !bytes.Equal(line[b.Offset:b.Offset+len(b.Raw)], b.Raw) {
				t.Fatalf("block %s is not at %d", b.Raw, b.Offset)
			}
		}
		if out, assets, err := atsf.TakeInline(line); err == nil {
			if len(assets) == 0 != bytes.Equal(out, before) {
				t.Fatalf("%d assets from %s", len(assets), out)
			}
			if _, err := atsf.ParseMessage(out); err != nil {
				t.Fatalf("%s: %v", out, err)
			}
		}
		out, err := atsf.BuildMessage(m)
		if err != nil {
			fault(t, err)
			return
		}
		if bytes.Count(out, []byte("\n")) != 1 || out[len(out)-1] != '\n' {
			t.Fatalf("%q is not one line", out)
		}
		back, err := atsf.ParseMessage(out)
		if err != nil || len(back.Faults) > 0 || back.ID != m.ID || back.Role != m.Role || back.Time.Millis != m.Time.Millis || len(back.Content) != len(m.Content) || len(back.Tools) != len(m.Tools) {
			t.Fatalf("%s came back as %+v, %v", out, back, err)
		}
	})
}

// FuzzLog reads any log whole and in parts, and counts it both ways.
func FuzzLog(f *testing.F) {
	for _, data := range fixtures(f, atsf.MessagesName) {
		f.Add(data, 1)
	}
	f.Add([]byte("{}\n\r\n \n[]\n{\"role\":\"user\",\"toolCalls\":[1,2]}\r\n{\"timestamp\":\"2025-02-14T10:30:00Z\"}\nx"), 2)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		all := atsf.ReadLog(data, 0)
		var tally atsf.Tally
		for i := range all.Entries {
			if e := &all.Entries[i]; e.Fault != nil {
				tally.Bad++
			} else {
				tally.Add(&e.Message)
			}
		}
		counted, next := atsf.Count(data)
		if counted != tally || next != all.Next {
			t.Fatalf("counted %+v to %d, read %+v to %d", counted, next, tally, all.Next)
		}
		if end := bytes.LastIndexByte(data, '\n') + 1; next != end || all.Torn != (end < len(data)) {
			t.Fatalf("reading ended at %d, want %d", next, end)
		}
		read, at := 0, 0
		for {
			part := atsf.ReadLog(data[at:], max(1, n%5))
			read += len(part.Entries)
			if at += part.Next; part.Next == 0 {
				break
			}
		}
		if read != len(all.Entries) || at != all.Next {
			t.Fatalf("in parts %d entries to %d, want %d to %d", read, at, len(all.Entries), all.Next)
		}
	})
}

// FuzzConfig reads any config.json; no link that may be made leaves its tree.
func FuzzConfig(f *testing.F) {
	for _, data := range fixtures(f, atsf.ConfigName) {
		f.Add(data, "a/../b")
	}
	f.Add([]byte(hooksText), `..\x`)
	f.Add([]byte(`{"specVersion":"1.1","worktreeHooks":{"symlinks":[{"source":"..","target":"/"}],"postSetupCommands":[{}]}}`), ". .")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		atsf.Secrets(data)
		if clean, bad := atsf.CleanHookPath(path); bad == "" {
			checkConfined(t, clean)
		}
		if name, err := atsf.ParseAssetName(path); err == nil && (name.String() != path || strings.ContainsAny(path, `/\:`)) {
			t.Fatalf("%q is %v", path, name)
		}
		c, err := atsf.ParseConfig(data)
		if err != nil {
			fault(t, err)
			return
		}
		for _, l := range c.Hooks.Symlinks {
			if l.Fault == nil {
				checkConfined(t, l.Source)
				checkConfined(t, l.Target)
			}
		}
		for _, cmd := range c.Hooks.Commands {
			if cmd.Fault == nil && (strings.TrimSpace(cmd.Command) == "" || cmd.Timeout < 1 || cmd.Timeout > atsf.MaxTimeout) {
				t.Fatalf("%+v", cmd)
			}
		}
	})
}

func checkConfined(t *testing.T, path string) {
	t.Helper()
	if path == "" || strings.ContainsAny(path, "\\:\x00") || strings.HasPrefix(path, "/") {
		t.Fatalf("%q", path)
	}
	for name := range strings.SplitSeq(path, "/") {
		if strings.Trim(name, ". ") == "" || strings.EqualFold(name, ".git") {
			t.Fatalf("%q", path)
		}
	}
}
