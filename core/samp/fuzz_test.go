package samp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// addLines seeds a target with every line that the tables name.
func addLines(f *testing.F) {
	for _, line := range mine {
		f.Add([]byte(line))
	}
	for _, c := range malformed {
		f.Add([]byte(c.line))
	}
}

// FuzzParse reads any line, compares what it says with encoding/json, writes
// every record back, and holds that a screen lets it through.
func FuzzParse(f *testing.F) {
	addLines(f)
	f.Add([]byte(`{"ts":1,"from":"\ud800","to":"\udc00","thread":"\ud83d\ude00","body":"\u0000","id":null}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		before := bytes.Clone(line)
		r, err := samp.Parse(line)
		if !bytes.Equal(before, line) {
			t.Fatal("Parse changed its input")
		}
		inPlace, inPlaceErr := samp.ParseInPlace(bytes.Clone(line))
		if inPlace != r || (inPlaceErr == nil) != (err == nil) {
			t.Fatalf("in place: %+v, %v; copied: %+v, %v", inPlace, inPlaceErr, r, err)
		}
		if in := samp.Inspect(bytes.Clone(line), "a"); in.Malformed != (err != nil) || in.Record != r {
			t.Fatalf("Inspect: %+v, Parse: %v", in, err)
		}
		checkScreen(t, line, err == nil)
		if err != nil {
			fault, ok := errors.AsType[*canon.Fault](err)
			if !ok || fault.Rule == "" || fault.Reason == "" || fault.Offset < 0 || fault.Offset > len(line) || (r != samp.Record{}) {
				t.Fatalf("%#v", err)
			}
			return
		}
		checkRecord(t, line, r)
	})
}

func checkRecord(t *testing.T, line []byte, r samp.Record) {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		t.Fatalf("not JSON to encoding/json: %v", err)
	}
	for name, got := range map[string]string{"from": r.From, "to": r.To, "thread": r.Thread, "body": r.Body} {
		var want string
		if err := json.Unmarshal(members[name], &want); err != nil || got != want {
			t.Fatalf("%s is %q, want %q, %v", name, got, want, err)
		}
	}
	var ts int64
	if err := json.Unmarshal(members["ts"], &ts); err != nil || ts != r.TS {
		t.Fatalf("ts is %d, want %d, %v", r.TS, ts, err)
	}
	written := r.Append(nil)
	if n := bytes.Count(written, []byte("\n")); n != 1 || written[len(written)-1] != '\n' {
		t.Fatalf("%q is not one line", written)
	}
	back, err := samp.Parse(written)
	back.Lossy = r.Lossy // the half is U+FFFD for good
	if err != nil || back != r {
		t.Fatalf("%+v came back as %+v, %v", r, back, err)
	}
	for _, p := range []samp.Profile{samp.V1, samp.V1Compact} {
		id, err := samp.LineID(line, p)
		if err != nil || len(id) != 16 || id != samp.ID(&r, p) {
			t.Fatalf("ids %q and %q, %v", id, samp.ID(&r, p), err)
		}
		own := r
		own.ID = id
		if form := samp.Identify(&own); form != samp.FormSpaced && form != samp.FormCompact {
			t.Fatalf("its own id in %v is labelled %v", p, form)
		}
	}
}

// FuzzFilter holds that no record to the reader is ever dropped unparsed.
func FuzzFilter(f *testing.F) {
	for _, line := range mine {
		f.Add([]byte(line), "me")
	}
	for _, c := range malformed {
		f.Add([]byte(c.line), "b")
	}
	f.Add([]byte(`{"to":"me","to":"you"}`), "you")
	f.Add([]byte(`{"to":"","ts":1,"from":"","thread":"","body":""}`), "")
	f.Add([]byte(`{"a":"\"}`), "")
	f.Fuzz(func(t *testing.T, line []byte, me string) {
		rec, err := samp.Parse(line)
		readers := []string{me}
		if err == nil {
			readers = append(readers, rec.To)
		}
		for _, reader := range readers {
			s := samp.NewFilter(reader)
			keep := s.Keep(line)
			if err == nil && rec.To == reader && !keep {
				t.Fatalf("a record to %q was dropped", reader)
			}
			many := new(samp.Receivers)
			for range 2 { // the second time what is between is known
				to, plain := samp.Receiver(line)
				if again, same := many.Of(line); same != plain || string(again) != string(to) {
					t.Fatalf("%q, %v, want %q, %v", again, same, to, plain)
				}
			}
			found, verdict := s.Read(line, "log", samp.V1)
			if want := err == nil && rec.To == reader; (verdict == samp.ForMe) != want {
				t.Fatalf("verdict %v for %q", verdict, reader)
			}
			if verdict == samp.ForMe && found.Record != rec {
				t.Fatalf("%+v, want %+v", found.Record, rec)
			}
			if verdict == samp.Malformed && err == nil {
				t.Fatal("a record counts as malformed")
			}
		}
	})
}

// FuzzCompact holds C2: nothing that was written is lost, the second run finds
// nothing to do, and readers see the same inbox before and after.
func FuzzCompact(f *testing.F) {
	var all strings.Builder
	for _, line := range mine {
		f.Add([]byte(line+"\n"+line), false)
		all.WriteString(strings.TrimRight(line, "\n") + "\n")
	}
	for _, c := range malformed {
		all.WriteString(c.line + "\n")
	}
	const noID = `{"ts":1,"from":"a","to":"me","thread":"t","body":"e\u0301","p":1}`
	f.Add([]byte(all.String()), true)
	f.Add([]byte(noID+"\n"+noID+"\r\n\n"+strings.Replace(noID, "1}", "2}", 1)+"\n"+noID[:20]), true)
	f.Add([]byte(`{"ts":1,"from":"a","to":"me","thread":"t","body":"\ud800"}`+"\n"+`{"ts":1,"from":"a","to":"me","thread":"t","body":"\udbff"}`), false)
	f.Fuzz(func(t *testing.T, data []byte, compact bool) {
		p := samp.V1
		if compact {
			p = samp.V1Compact
		}
		before := bytes.Clone(data)
		got := samp.Compact(data, p)
		if !bytes.Equal(before, data) {
			t.Fatal("Compact changed its input")
		}
		again := samp.Compact(got.Data, p)
		if again.Changed(got.Data) || again.Filled != 0 || again.Before != again.After {
			t.Fatalf("the second run did %+v\nfirst  %q\nsecond %q", again, got.Data, again.Data)
		}
		in, out := census(data), census(got.Data)
		if got.Before != in.lines || got.After != out.lines || got.Malformed != len(in.malformed) {
			t.Fatalf("%+v for %d lines, %d of them malformed, to %d", got, in.lines, len(in.malformed), out.lines)
		}
		if strings.Join(in.malformed, "\n") != strings.Join(out.malformed, "\n") {
			t.Fatalf("malformed lines %q became %q", in.malformed, out.malformed)
		}
		for fact := range in.facts {
			if _, ok := out.facts[fact]; !ok {
				t.Fatalf("%q is lost from %q", fact, got.Data)
			}
		}
		if out.noID > 0 {
			t.Fatal("a record is without id")
		}
	})
}

type logCensus struct {
	lines, noID int
	malformed   []string
	// facts are "content, id, member" for every member of every record.
	facts map[string]struct{}
}

func census(data []byte) logCensus {
	c := logCensus{facts: map[string]struct{}{}}
	samp.Lines(data, func(_ int, raw []byte) {
		if len(bytes.TrimSpace(raw)) == 0 {
			return
		}
		c.lines++
		rec, err := samp.Parse(raw)
		if err != nil {
			c.malformed = append(c.malformed, strings.TrimSuffix(string(raw), "\n"))
			return
		}
		if rec.ID == "" {
			c.noID++
		}
		content := rec.Content()
		content.Lossy = ""
		head, _ := json.Marshal(content)
		c.facts[string(head)] = struct{}{}
		if rec.ID != "" {
			c.facts[string(head)+" id "+rec.ID] = struct{}{}
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return
		}
		for name, value := range members {
			switch name {
			case "id", "ts", "from", "to", "thread", "body":
			default:
				c.facts[string(head)+" member "+name+" "+string(value)] = struct{}{}
			}
		}
	})
	return c
}

// FuzzThread derives a thread from any body: never a panic, a slug of its
// alphabet, nothing lost from the body but the override.
func FuzzThread(f *testing.F) {
	for _, body := range []string{
		"", "Fix it", "[thread:x] y", " [thread:\x00 ]y", "[thread:", "[thread:]", "\u0130\u212a", "\u2028[thread:a]\u2028",
		strings.Repeat("x-", 40), "\xff[thread:\xff]\xff", "[thread:a\nb]",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, p := range []samp.Profile{samp.V1, samp.V1Compact} {
			thread, stored := samp.DeriveThread(body, "from", date, p)
			if !strings.HasSuffix(body, stored) {
				t.Fatalf("%v: body %q became %q", p, body, stored)
			}
			slug, derived := strings.CutPrefix(thread, date+"-from-")
			if len(stored) == len(body) && !derived || p == samp.V1Compact && thread == "" {
				t.Fatalf("%v: thread %q of %q", p, thread, body)
			}
			if len(stored) < len(body) {
				if !strings.Contains(body, "[thread:") || utf8.ValidString(body) && !utf8.ValidString(thread) {
					t.Fatalf("%v: thread %q of %q", p, thread, body)
				}
				continue
			}
			if slug == "" || len(slug) > 40 || strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || slug[0] == '-' || strings.Contains(slug, "--") {
				t.Fatalf("%v: slug %q of %q", p, slug, body)
			}
		}
		if line := samp.FirstLine(body); !strings.HasPrefix(body, line) || strings.ContainsAny(line, "\n\r\v\f\u2028\u2029\u0085") {
			t.Fatalf("first line %q of %q", line, body)
		}
	})
}

// FuzzWatermark reads any mark and writes it back.
func FuzzWatermark(f *testing.F) {
	for _, s := range []string{
		`{"ts": 5, "ids": ["a", "x:b"]}`, `{}`, `{"ids":[]}`, `{"ts":-1}`, `{"ts":1e3}`, `{"ids":[[]]}`, `{"ids":["\ud800","` + "\u2028" + `"]}`,
		`{"ts":1,"ts":2,"ids":["a"],"ids":["b"]}`, `[`, "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := samp.ParseWatermark(data)
		if err != nil {
			if fault, ok := errors.AsType[*canon.Fault](err); !ok || fault.Rule != "N2" || w.TS != 0 || w.IDs != nil {
				t.Fatalf("%+v, %#v", w, err)
			}
			return
		}
		back, err := samp.ParseWatermark(w.Append(nil))
		if err != nil || back.TS != w.TS || len(back.IDs) != len(w.IDs) {
			t.Fatalf("%+v came back as %+v, %v", w, back, err)
		}
		for i, id := range w.IDs {
			if back.IDs[i] != id {
				t.Fatalf("id %q came back as %q", id, back.IDs[i])
			}
			if !w.Seen().Listed(&samp.Found{Record: samp.Record{TS: w.TS}, Key: id}) {
				t.Fatalf("%q is not listed", id)
			}
		}
	})
}

// FuzzGather fills three logs from one text and holds the invariants of an
// inbox: all that was found is shown, a duplicate of what is shown, or
// suspicious, and what a sender wrote in his own log is never suspicious.
func FuzzGather(f *testing.F) {
	const hi = `{"id":"1","ts":1,"from":"bob","to":"me","thread":"t","body":"hi"}` + "\n"
	f.Add([]byte(hi), []byte(hi), []byte(hi), int64(5))
	f.Add([]byte(hi), []byte(strings.Replace(hi, "hi", "ho", 1)), []byte{}, int64(0))
	f.Add([]byte{}, []byte{}, []byte(hi+strings.Replace(hi, `"id":"1"`, `"id":""`, 1)), int64(1))
	f.Add([]byte(hi+strings.Replace(hi, `"hi"`, `"\ud800"`, 1)+strings.Replace(hi, `"hi"`, `"\udfff"`, 1)), []byte{}, []byte{}, int64(1))
	f.Fuzz(func(t *testing.T, bob, replica, mallory []byte, now int64) {
		var found []samp.Found
		for rank, log := range []struct {
			stem string
			data []byte
		}{{"bob", bob}, {"bob-replica", replica}, {"mallory", mallory}} {
			more, _ := samp.Find(log.data, log.stem, rank, new("me"), samp.V1)
			found = append(found, more...)
		}
		box := samp.Gather(slices.Clone(found))
		if len(box.Messages)+len(box.Suspicious)+box.Replicas != len(found) {
			t.Fatalf("%d found: %d messages, %d suspicious, %d replicas", len(found), len(box.Messages), len(box.Suspicious), box.Replicas)
		}
		checkInbox(t, found, box)
		checkMark(t, box.Messages, now)
	})
}

type place struct {
	rank   int
	offset int64
}

func checkInbox(t *testing.T, found []samp.Found, box samp.Inbox) {
	t.Helper()
	placesOf := func(list []samp.Found) map[place]bool {
		m := map[place]bool{}
		for _, f := range list {
			m[place{f.Rank, f.Offset}] = true
		}
		return m
	}
	type id struct{ from, key string }
	ids, texts := map[id]bool{}, map[samp.Content]bool{}
	for i, m := range box.Messages {
		if ids[id{m.From, m.Key}] || texts[m.Content()] {
			t.Fatalf("%+v is shown twice", m)
		}
		ids[id{m.From, m.Key}], texts[m.Content()] = true, true
		if m.Provenance() == samp.Foreign || m.To != "me" {
			t.Fatalf("%+v is shown", m)
		}
		if i > 0 && box.Messages[i-1].TS > m.TS {
			t.Fatalf("%d comes after %d", m.TS, box.Messages[i-1].TS)
		}
	}
	shown, doubted := placesOf(box.Messages), placesOf(box.Suspicious)
	for _, f := range found {
		at := place{f.Rank, f.Offset}
		known := texts[f.Content()] || f.Provenance() != samp.Foreign && ids[id{f.From, f.Key}]
		switch {
		case shown[at] && doubted[at]:
			t.Fatalf("%+v is shown and suspicious", f)
		case doubted[at] && f.Provenance() != samp.Foreign:
			t.Fatalf("%+v is suspicious in log %s", f, f.Stem)
		case !shown[at] && !doubted[at] && !known:
			t.Fatalf("%+v is lost", f)
		}
	}
}

// checkMark reads an inbox, marks it and reads again.
func checkMark(t *testing.T, messages []samp.Found, now int64) {
	t.Helper()
	var mark samp.Watermark
	fresh, older := samp.Unread(messages, mark)
	if len(fresh)+len(older) != len(messages) {
		t.Fatalf("%d messages: %d fresh, %d older", len(messages), len(fresh), len(older))
	}
	next := mark.Advance(messages, fresh, now)
	if len(fresh) > 0 && next.TS > now {
		t.Fatalf("the mark stands at %d, after %d", next.TS, now)
	}
	if again, _ := samp.Unread(messages, next); len(again) > 0 {
		t.Fatalf("%+v is shown again after %+v", again, next)
	}
}

// FuzzAlias holds that a name which may be written to is an alias and a file name of
// its own, that a log's name gives the alias back, and that nothing else owns a log.
func FuzzAlias(f *testing.F) {
	for _, s := range []string{"alice", "a", "", "..", "../x", "CON", "con.txt", "a.", "аlice", "a\u200b", "a b", "a/b", "-a", strings.Repeat("a", 65)} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, stem, from string) {
		if samp.CheckAlias(stem) == nil {
			got, ok := samp.LogStem(samp.LogName(stem))
			if !ok || got != stem || !samp.ValidAlias(stem) || strings.ContainsAny(stem, "/\\:\x00") || samp.ShowAlias(stem) != stem {
				t.Fatalf("%q may be written to, and its log is that of %q", stem, got)
			}
		}
		if !samp.ValidAlias(from) {
			if got := samp.ProvenanceOf(stem, from); got != samp.Foreign {
				t.Fatalf("%q in the log of %q: %v", from, stem, got)
			}
			for _, r := range samp.ShowAlias(from) {
				if r != '…' && (r < ' ' || r > '~') {
					t.Fatalf("%q is shown as %q", from, samp.ShowAlias(from))
				}
			}
		}
	})
}
