package samp

import (
	"bytes"
	"strings"
	"testing"
)

// quickLines are on both sides of what the quick reader takes.
var quickLines = []struct {
	line string
	ok   bool
}{
	{`{"id": "x", "ts": 1777075200, "from": "a", "to": "b", "thread": "t", "body": "plain"}` + "\n", true},
	{`{"id":"x","ts":1,"from":"a","to":"b","thread":"t","body":"a\n\"\\\/\b\f\r\tb"}` + " \r\n", true},
	{`{"body": "é", "ts": 999999999999999999, "to": "", "thread": "", "from": ""}`, true},
	{`{ "ts":1, "from":"a", "to":"b", "thread":"t", "body":"\\"}`, true},
	{`{"ts":1000000000000000000,"from":"a","to":"b","thread":"t","body":""}`, false},
	{`{"ts":-1,"from":"a","to":"b","thread":"t","body":""}`, false},
	{`{"ts":0,"from":"a","to":"b","thread":"t","body":""}`, false},
	{`{"ts":01,"from":"a","to":"b","thread":"t","body":""}`, false},
	{`{"ts":1.0,"from":"a","to":"b","thread":"t","body":""}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"\u00e9"}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"\n\u00e9"}`, false},
	{`{"ts":1,"from":"\n","to":"b","thread":"t","body":""}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"","x":1}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"","to":"b"}`, false},
	{`{"t\u006f":"b","ts":1,"from":"a","thread":"t","body":""}`, false},
	{`{"id":null,"ts":1,"from":"a","to":"b","thread":"t","body":""}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t"}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"x}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"\}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"\"}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":""}}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"",}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body" :""}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"` + "\xff" + `"}`, false},
	{`{"ts":1,"from":"a","to":"b","thread":"t","body":"` + "\x1f" + `"}`, false},
	{`{"ts":}`, false},
	{`{"}`, false},
	{`{}`, false},
	{`}`, false},
	{``, false},
}

func TestParseFast(t *testing.T) {
	for _, c := range quickLines {
		if _, ok := parseFast([]byte(c.line), new(Record)); ok != c.ok {
			t.Errorf("%s: %v, want %v", c.line, ok, c.ok)
		}
		sameAsSlow(t, []byte(c.line))
	}
}

// sameAsSlow holds the quick reader, by itself and in Find, against the one for all
// JSON.
func sameAsSlow(t *testing.T, line []byte) {
	t.Helper()
	want, wantErr := parseFull(bytes.Clone(line))
	got, err := Parse(line)
	if got != want || (err == nil) != (wantErr == nil) {
		t.Fatalf("%q: %+v, %v, want %+v, %v", line, got, err, want, wantErr)
	}
	if wantErr != nil || bytes.IndexByte(bytes.TrimSuffix(line, []byte("\n")), '\n') >= 0 {
		if _, ok := parseFast(line, new(Record)); ok && wantErr != nil {
			t.Fatalf("%q was read, and is %v", line, wantErr)
		}
		return
	}
	log := append(append(bytes.Clone(line), '\n'), line...)
	before := bytes.Clone(log)
	found, scan := Find(log, "a", 3, &want.To, V1)
	if len(found) != 2 || found[0].Record != want || found[1].Record != want || found[0].Offset != 0 || found[1].Rank != 3 || scan.Malformed != 0 {
		t.Fatalf("%q: found %+v, %+v", line, found, scan)
	}
	if !bytes.Equal(before, log) {
		t.Fatal("Find changed the log")
	}
}

func FuzzParseFast(f *testing.F) {
	for _, c := range quickLines {
		f.Add([]byte(c.line))
	}
	f.Fuzz(sameAsSlow)
}

// TestFindBodies has more bodies with escapes than fit into one allocation.
func TestFindBodies(t *testing.T) {
	var log []byte
	var want []string
	for n := range 300 {
		r := Record{ID: "i", TS: int64(1 + n), From: "a", To: "b", Thread: "t", Body: strings.Repeat("line\n", n*n%997)}
		want = append(want, r.Body)
		log = r.Append(log)
	}
	found, _ := Find(log, "a", 0, new("b"), V1)
	for n, f := range found {
		if f.Body != want[n] || f.TS != int64(1+n) {
			t.Fatalf("record %d has a body of %d bytes, want %d", n, len(f.Body), len(want[n]))
		}
	}
	if len(found) != len(want) {
		t.Fatalf("%d records", len(found))
	}
}

// TestPartial holds the canonical text of any fields against that of all.
func TestPartial(t *testing.T) {
	r := Record{TS: 5, From: "a", To: "b", Thread: "t\n", Body: "e\u0301\""}
	for _, s := range []style{{}, {compact: true}, {compact: true, nfc: true}, {ascii: true}} {
		if got, want := string(partial(nil, &r, required, s)), string(canonical(nil, &r, required, s, nil)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for have, want := range map[field]string{
		0: "{}", fieldTS: `{"ts": 5}`, fieldFrom: `{"from": "a"}`, fieldFrom | fieldTS: `{"from": "a", "ts": 5}`,
	} {
		if got := string(partial([]byte("x"), &r, have, style{})); got != "x"+want {
			t.Errorf("%s, want x%s", got, want)
		}
	}
}
