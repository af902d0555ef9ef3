package samp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestCompact holds C2 line by line. Each case is compacted twice: the second
// run must find nothing to do.
func TestCompact(t *testing.T) {
	const (
		spaced  = "ab9c115da21a8f45"
		compact = "262b3c8fbec35a2d"
		tail    = `"ts": 1700000000, "from": "alice", "to": "bob", "thread": "t1", "body": "hello"`
	)
	line := func(members string) string { return "{" + members + "}\n" }
	with := func(id string) string { return line(`"id": "` + id + `", ` + tail) }
	other := line(`"id": "x", "ts": 1, "from": "alice", "to": "bob", "thread": "t", "body": "other"`)
	for _, c := range []struct {
		name, in, want            string
		before, after             int
		filled, broken, conflicts int
	}{
		{"C2/empty", "", "", 0, 0, 0, 0, 0},
		{"C2/nothing to do", with(spaced) + other, with(spaced) + other, 2, 2, 0, 0, 0},
		{"C2/duplicate", with(spaced) + other + with(spaced), with(spaced) + other, 3, 2, 0, 0, 0},
		{"C2/duplicate in another layout", with(spaced) + line(`"body":"h\u0065llo","thread":"t1","to":"bob","from":"alice","ts":1700000000,"id":"`+spaced+`"`), with(spaced), 2, 1, 0, 0, 0},
		{"C2/missing id", line(tail), line(`"id": "` + spaced + `", ` + tail), 1, 1, 1, 0, 0},
		{"C2/empty id", line(`"id":"",` + tail), line(`"id":"` + spaced + `",` + tail), 1, 1, 1, 0, 0},
		{"C2/null id at the end", line(tail + `, "id" : null `), line(tail + `, "id" : "` + spaced + `" `), 1, 1, 1, 0, 0},
		{"C2/empty id under an escaped name", line(tail + `,"\u0069d":""`), line(tail + `,"\u0069d":"` + spaced + `"`), 1, 1, 1, 0, 0},
		{"C2/missing id after white space", " \t{ " + tail + "}\r\n", " \t{\"id\": \"" + spaced + "\",  " + tail + "}\r\n", 1, 1, 1, 0, 0},
		{"C2/missing id of a record that is there", with(spaced) + line(tail), with(spaced), 2, 1, 0, 0, 0},
		{"C2/missing id of a record under the other form", with(compact) + line(tail), with(compact), 2, 1, 0, 0, 0},
		{"C2/missing id twice", line(tail) + line(tail), line(`"id": "` + spaced + `", ` + tail), 2, 1, 1, 0, 0},
		{"C2/filled, then written out", line(tail) + with(spaced), with(spaced), 2, 1, 1, 0, 0},
		{"C2/unknown members kept", line(`"a":[1,{"b":"\u00e9"}],` + tail + `,"z":1.50`), line(`"id": "` + spaced + `", "a":[1,{"b":"\u00e9"}],` + tail + `,"z":1.50`), 1, 1, 1, 0, 0},
		{"C2/duplicate with fewer members", with(spaced)[:len(with(spaced))-2] + ",\"p\":1}\n" + with(spaced), with(spaced)[:len(with(spaced))-2] + ",\"p\":1}\n", 2, 1, 0, 0, 0},
		{"C2/duplicate with more members", with(spaced) + line(`"p":1,"id":"`+spaced+`",`+tail), with(spaced) + line(`"p":1,"id":"`+spaced+`",`+tail), 2, 2, 0, 0, 1},
		{"C2/duplicate with another member", line(`"p":1,"id":"x",`+tail) + line(`"p":2,"id":"x",`+tail), line(`"p":1,"id":"x",`+tail) + line(`"p":2,"id":"x",`+tail), 2, 2, 0, 0, 1},
		{"C2/copies of a conflict", with("x") + other + other, with("x") + other, 3, 2, 0, 0, 1},
		{"C2/same id, another text", with("x") + other, with("x") + other, 2, 2, 0, 0, 1},
		{"C2/same id, another sender", with("x") + line(`"id": "x", "ts": 1, "from": "b", "to": "b", "thread": "t", "body": ""`), with("x") + line(`"id": "x", "ts": 1, "from": "b", "to": "b", "thread": "t", "body": ""`), 2, 2, 0, 0, 0},
		{"C2/malformed kept, copies too", "{torn\n{torn\n[1]\n\xff\n", "{torn\n{torn\n[1]\n\xff\n", 4, 4, 0, 4, 0},
		{"C2/duplicate keys are malformed", line(tail + `,"ts":1`), line(tail + `,"ts":1`), 1, 1, 0, 1, 0},
		{"C2/torn tail kept", with(spaced) + `{"ts": 17`, with(spaced) + `{"ts": 17`, 2, 2, 0, 1, 0},
		{"C2/last line without end", line(tail)[:len(line(tail))-1], line(`"id": "` + spaced + `", ` + tail)[:len(with(spaced))-1], 1, 1, 1, 0, 0},
		{"C2/blank lines dropped", "\n" + with(spaced) + " \t\r\n\n", with(spaced), 1, 1, 0, 0, 0},
		{"C2/half surrogates are not the same", line(`"id":"1","ts":1,"from":"a","to":"b","thread":"t","body":"\ud800"`) + line(`"id":"1","ts":1,"from":"a","to":"b","thread":"t","body":"\udfff"`), line(`"id":"1","ts":1,"from":"a","to":"b","thread":"t","body":"\ud800"`) + line(`"id":"1","ts":1,"from":"a","to":"b","thread":"t","body":"\udfff"`), 2, 2, 0, 0, 1},
		{"C2/exact copy of half a surrogate", strings.Repeat(line(`"id":"1","ts":1,"from":"a","to":"b","thread":"t","body":"\ud800"`), 2), line(`"id":"1","ts":1,"from":"a","to":"b","thread":"t","body":"\ud800"`), 2, 1, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := samp.Compact([]byte(c.in), samp.V1)
			if diff := cmp.Diff(c.want, string(got.Data)); diff != "" {
				t.Error(diff)
			}
			counts := [...]int{got.Before, got.After, got.Filled, got.Malformed, got.Conflicts}
			if want := [...]int{c.before, c.after, c.filled, c.broken, c.conflicts}; counts != want {
				t.Errorf("before, after, filled, malformed, conflicts: %v, want %v", counts, want)
			}
			if got.Changed([]byte(c.in)) != (c.in != string(got.Data)) {
				t.Error("Changed is wrong")
			}
			again := samp.Compact(got.Data, samp.V1)
			if again.Changed(got.Data) || again.Before != again.After || again.Filled != 0 {
				t.Errorf("the second run: %+v", again)
			}
		})
	}
}

// TestCompactProfile fills in the id that the profile writes.
func TestCompactProfile(t *testing.T) {
	in := []byte(`{"ts": 1700000000, "from": "alice", "to": "bob", "thread": "t1", "body": "cafe\u0301"}` + "\n")
	for p, id := range map[samp.Profile]string{samp.V1: "ff2cdc4e994605f0", samp.V1Compact: "5be5e1463ceca3cc"} {
		got := samp.Compact(in, p)
		if want := `{"id": "` + id + `", ` + string(in[1:]); string(got.Data) != want {
			t.Errorf("C2 %v: %s, want %s", p, got.Data, want)
		}
	}
}
