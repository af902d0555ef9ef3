package samp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// mine are lines that a filter for "me" may never drop: each is a record to me.
var mine = []string{
	`{"id": "x", "ts": 1, "from": "a", "to": "me", "thread": "t", "body": "b"}`,
	`{"ts":1,"from":"a","to":"me","thread":"t","body":"b"}` + "\r\n",
	`{"ts":1,"from":"a","to":"me","thread":"t","body":"b"}` + " \t \n",
	" \t" + `{ "ts" : 1 , "from" : "a" , "to" : "me" , "thread" : "t" , "body" : "b" }`,
	"{\"ts\"\t:\r1,\"from\":\"a\",\"to\"\t:\t\"me\"\t,\"thread\":\"t\",\"body\":\"b\"}",
	`{"body":"\"to\": \"you\"","thread":"t","to":"me","from":"a","ts":1}`,
	`{"body":"\\","thread":"\\\\\"","to":"me","from":"a","ts":1}`,
	`{"\u0074o":"me","ts":1,"from":"a","thread":"t","body":"b"}`,
	`{"t\u006f":"me","ts":1,"from":"a","thread":"t","body":"b"}`,
	`{"to":"\u006de","ts":1,"from":"a","thread":"t","body":"b"}`,
	`{"x":{"to":"you"},"ts":1,"from":"a","to":"me","thread":"t","body":"b"}`,
	`{"x":["to","you"],"ts":1,"from":"a","to":"me","thread":"t","body":"b"}`,
	`{"x":null,"y":true,"z":-1.5e+3,"ts":1,"from":"a","to":"me","thread":"t","body":"b"}`,
	`{"":"to","To":"you","too":"you"," to":"you","ts":1,"from":"a","to":"me","thread":"t","body":"b"}`,
	`{"ts":1,"from":"to","thread":"to","body":"to","to":"me"}`,
	`{"\"to\":\"you\",":1,"ts":1,"from":"a","to":"me","thread":"t","body":"b"}`,
	`{"id":"8d3e2a11b7c05f42","ts":1777075200,"from":"a","to":"me","thread":"t","body":"b"}`,
	`{"id":"8d3e2a11b7c05f42","ts":1777075200,"from":"a","to": "me","thread":"t","body":"b"}`,
	`{"id": "8d3e2a11b7c05f42", "ts": 1777075200, "from": "a", "to": "me", "thread": "t", "body": "b"}`,
	`{"id": "8d3e2a11b7c05f42", "ts": 1777075200, "from": "a", "to":  "me", "thread": "t", "body": "b"}`,
	`{"id": "8d3e2a11b7c05f42","ts":1777075200,"from":"a","to":"me","thread":"t","body":"b"}`,
	`{"id":"8d3e\u0032a11b7c05f42","ts":1777075200,"from":"\u0061","to":"me","thread":"t","body":"b"}`,
	`{"id":"8d3e2a11b7c05f42","ts":1777075200,"from":"\",\"to\":\"you","to":"me","thread":"t","body":"b"}`,
	`{"body":"\u0022,\u0022to\u0022:","ts":1,"from":"a","to":"me","thread":"t"}`,
}

// TestSieveCut gives the filter every beginning of lines to somebody else, made to end
// as a record does.
func TestSieveCut(t *testing.T) {
	s := samp.NewFilter("me")
	for _, line := range []string{
		`{"id":"8d3e2a11b7c05f42","ts":1777075200,"from":"a","to":"you","thread":"t","body":"b"}`,
		`{"id": "8d3e2a11b7c05f42", "ts": 1777075200, "from": "a", "to": "you", "thread": "t", "body": "b"}`,
	} {
		if s.Keep([]byte(line)) {
			t.Errorf("%s was kept", line)
		}
		to := strings.Index(line, `you"`) + len(`you"`)
		for n := range line {
			if kept := s.Keep([]byte(line[:n] + "}")); kept != (n < to) {
				t.Errorf("%s}: kept is %v", line[:n], kept)
			}
		}
	}
}

// TestSieveKeeps reads each of them through the filter.
func TestSieveKeeps(t *testing.T) {
	s := samp.NewFilter("me")
	for _, line := range mine {
		t.Run("N3/"+line, func(t *testing.T) {
			if !s.Keep([]byte(line)) {
				t.Fatal("the filter dropped a record to me")
			}
			rec, err := samp.Parse([]byte(line))
			if err != nil || rec.To != "me" {
				t.Fatalf("%+v, %v", rec, err)
			}
			want := samp.Found{Record: rec, Key: samp.EffectiveID(&rec, samp.V1Compact), Stem: "log"}
			got, verdict := s.Read([]byte(line), "log", samp.V1Compact)
			if diff := cmp.Diff(want, got); diff != "" || verdict != samp.ForMe {
				t.Error(verdict, diff)
			}
			got, verdict = s.ReadInPlace([]byte(line), "log", samp.V1Compact)
			if diff := cmp.Diff(want, got); diff != "" || verdict != samp.ForMe {
				t.Error("in place:", verdict, diff)
			}
		})
	}
}

// TestSieveVerdicts holds what lines count as, and that the filter does its
// work: an ordinary line to somebody else is never parsed.
func TestSieveVerdicts(t *testing.T) {
	s := samp.NewFilter("me")
	for _, c := range []struct {
		name, line string
		keep       bool
		want       samp.Verdict
	}{
		{"N3/to another", `{"id": "x", "ts": 1, "from": "a", "to": "you", "thread": "t", "body": "b"}`, false, samp.ForOthers},
		{"N3/to another, to last", `{"body":"\"to\":\"me\"","ts":1,"from":"me","thread":"me","to":"you"}`, false, samp.ForOthers},
		{"N3/longer name", `{"ts":1,"from":"a","to":"me2","thread":"t","body":"b"}`, false, samp.ForOthers},
		{"N3/shorter name", `{"ts":1,"from":"a","to":"m","thread":"t","body":"b"}`, false, samp.ForOthers},
		{"N3/capitals", `{"ts":1,"from":"a","to":"ME","thread":"t","body":"b"}`, false, samp.ForOthers},
		{"N3/nested value, to another", `{"x":[],"ts":1,"from":"a","to":"you","thread":"t","body":"b"}`, true, samp.ForOthers},
		{"R3/blank", " \t\r\n", true, samp.Blank},
		{"R3/empty", "", true, samp.Blank},
		{"R3/torn", `{"ts":1,"from":"a","to":"me`, true, samp.Malformed},
		{"R3/torn, ends in a brace", `{"ts":1,"body":"}`, true, samp.Malformed},
		{"R3/two recipients", `{"to":"me","to":"you","ts":1,"from":"a","thread":"t","body":"b"}`, true, samp.Malformed},
		{"R3/two recipients, mine last", `{"to":"you","to":"me","ts":1,"from":"a","thread":"t","body":"b"}`, false, samp.ForOthers},
		{"R3/recipients in an array", `{"to":["me"],"ts":1,"from":"a","thread":"t","body":"b"}`, true, samp.Malformed},
		{"R3/no recipient", `{"ts":1,"from":"a","thread":"t","body":"b"}`, true, samp.Malformed},
		{"R3/brace alone", "}", true, samp.Malformed},
		{"R3/empty object", "{}", true, samp.Malformed},
		{"R3/array", "[{}", true, samp.Malformed},
		{"R3/no colon", `{"ts"}`, true, samp.Malformed},
		{"R3/no value", `{"to"   }`, true, samp.Malformed},
		{"R3/value cut off", `{"ts":}`, true, samp.Malformed},
		{"R3/name cut off", `{"ts}`, true, samp.Malformed},
		{"R3/recipient cut off", `{"ts":1,"to":"me}`, true, samp.Malformed},
		{"R3/backslash before the end", `{"ts":"\}`, true, samp.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := s.Keep([]byte(c.line)); got != c.keep {
				t.Errorf("Keep is %v", got)
			}
			if found, got := s.Read([]byte(c.line), "log", samp.V1); got != c.want || (found != samp.Found{}) {
				t.Errorf("verdict %v, want %v, with %+v", got, c.want, found)
			}
		})
	}
}

// TestFind holds offsets, counts and the end of the last whole line.
func TestFind(t *testing.T) {
	me := `{"ts":1,"from":"a","to":"me","thread":"t","body":"b"}`
	you := `{"ts":1,"from":"a","to":"you","thread":"t","body":"b"}`
	for _, c := range []struct {
		name, data string
		offsets    []int64
		want       samp.Scan
	}{
		{"R2/empty", "", nil, samp.Scan{}},
		{"R2/one", me + "\n", []int64{0}, samp.Scan{Lines: 1, Complete: 54}},
		{"W3/last line without end", you + "\n" + me, []int64{55}, samp.Scan{Lines: 2, Complete: 55}},
		{"W3/torn tail", me + "\n" + me[:20], []int64{0}, samp.Scan{Lines: 2, Malformed: 1, Complete: 54}},
		{"W3/only a torn line", me[:20], nil, samp.Scan{Lines: 1, Malformed: 1}},
		{"R2/blank lines", "\n \n" + me + "\r\n\n", []int64{3}, samp.Scan{Lines: 1, Complete: 59}},
		{"R3/malformed between", me + "\n{torn\n" + me + "\n", []int64{0, 60}, samp.Scan{Lines: 3, Malformed: 1, Complete: 114}},
		{"R3/carriage return ends no line", me + "\r" + me + "\n", nil, samp.Scan{Lines: 1, Malformed: 1, Complete: 108}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, scan := samp.Find([]byte(c.data), "a", 7, new("me"), samp.V1)
			if diff := cmp.Diff(c.want, scan); diff != "" {
				t.Error(diff)
			}
			var offsets []int64
			for _, f := range found {
				offsets = append(offsets, f.Offset)
				if f.Rank != 7 || f.Stem != "a" || f.Body != "b" || f.Key != samp.ID(&f.Record, samp.V1) {
					t.Errorf("%+v", f)
				}
			}
			if diff := cmp.Diff(c.offsets, offsets); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLines puts the lines together again.
func TestLines(t *testing.T) {
	for _, data := range []string{"", "\n", "a", "a\n", "\n\na\r\nb", "a\n\n"} {
		joined, ends := "", 0
		samp.Lines([]byte(data), func(offset int, raw []byte) {
			if offset != len(joined) || len(raw) == 0 {
				t.Errorf("%q: line %q at %d", data, raw, offset)
			}
			joined += string(raw)
			ends++
		})
		if joined != data {
			t.Errorf("%q came back as %q in %d lines", data, joined, ends)
		}
	}
}
