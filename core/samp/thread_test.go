package samp_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

const date = "2026-04-25"

// TestRandomThreads holds both forms of T1 and T2 against CPython's re and str.
func TestRandomThreads(t *testing.T) {
	var file struct {
		Vectors []struct {
			Body, From  string
			V1, Compact [2]string
		}
	}
	readJSON(t, "threads-random.json", &file)
	if len(file.Vectors) < 700 {
		t.Fatalf("only %d vectors", len(file.Vectors))
	}
	for i, v := range file.Vectors {
		t.Run("T1 T2/"+strconv.Itoa(i), func(t *testing.T) {
			for p, want := range map[samp.Profile][2]string{samp.V1: v.V1, samp.V1Compact: v.Compact} {
				thread, stored := samp.DeriveThread(v.Body, v.From, date, p)
				if got := [2]string{thread, stored}; got != want {
					t.Errorf("%v of %q: %q, want %q", p, v.Body, got, want)
				}
			}
		})
	}
}

// TestDeriveThread names the cases that a reader of §4 asks about.
func TestDeriveThread(t *testing.T) {
	const auto = date + "-a-"
	for _, c := range []struct{ name, body, thread, stored, rev, revStored string }{
		{"T1/override", "[thread:release-1.4] Ready?", "release-1.4", "Ready?", "release-1.4", "Ready?"},
		{"T1/space around all", " \n\u00a0[thread: x y ]\n\n Ready? ", "x y", "Ready? ", "x y", "Ready? "},
		{"T1/no body left", "[thread:x]", "x", "", "x", ""},
		{"T1/not at the start", "re [thread:x] y", auto + "re-thread-x-y", "re [thread:x] y", auto + "re-thread-x-y", "re [thread:x] y"},
		{"T1/empty name", "[thread:] y", auto + "thread-y", "[thread:] y", auto + "thread-y", "[thread:] y"},
		{"T1/blank name", "[thread: ] Title", "", "Title", auto + "title", "Title"},
		{"T1/controls in the name", "[thread:a\x00b\x7fc\nd] y", "a\x00b\x7fc\nd", "y", "abcd", "y"},
		{"T1/nothing but controls", "[thread:\x00\x01] Title", "\x00\x01", "Title", auto + "title", "Title"},
		{"T1/c1 controls stay", "[thread:a\u009bb] y", "a\u009bb", "y", "a\u009bb", "y"},
		{"T1/not UTF-8 stays so", "[thread:a\xff] y", "a\xff", "y", "a\xff", "y"},
		{"T1/not closed", "[thread:x y", auto + "thread-x-y", "[thread:x y", auto + "thread-x-y", "[thread:x y"},
		{"T1/capitals", "[Thread:x] y", auto + "thread-x-y", "[Thread:x] y", auto + "thread-x-y", "[Thread:x] y"},
		{"T1/only the first", "[thread:x][thread:y] z", "x", "[thread:y] z", "x", "[thread:y] z"},
		{"T1/name over two lines", "[thread:a\nb] c", "a\nb", "c", "ab", "c"},
		{"T1/a path is only a name", "[thread:../../x] y", "../../x", "y", "../../x", "y"},
		{"T2/plain", "Fix the LOGIN bug!", auto + "fix-the-login-bug", "Fix the LOGIN bug!", auto + "fix-the-login-bug", "Fix the LOGIN bug!"},
		{"T2/empty", "", auto + "msg", "", auto + "msg", ""},
		{"T2/empty first line", "\nx", auto + "msg", "\nx", auto + "msg", "\nx"},
		{"T2/dotted capital I", "İstanbul", auto + "i-stanbul", "İstanbul", auto + "i-stanbul", "İstanbul"},
		{"T2/kelvin sign", "\u212aelvin", auto + "kelvin", "\u212aelvin", auto + "kelvin", "\u212aelvin"},
		{"T2/forty characters", strings.Repeat("x", 50), auto + strings.Repeat("x", 40), strings.Repeat("x", 50), auto + strings.Repeat("x", 40), strings.Repeat("x", 50)},
		{"T2/cut after a dash", strings.Repeat("x", 39) + " y", auto + strings.Repeat("x", 39) + "-", strings.Repeat("x", 39) + " y", auto + strings.Repeat("x", 39) + "-", strings.Repeat("x", 39) + " y"},
		{"T2/carriage return", "a\rb", auto + "a", "a\rb", auto + "a", "a\rb"},
		{"T2/next line", "a\u0085b", auto + "a", "a\u0085b", auto + "a", "a\u0085b"},
		{"T2/unit separator is no line end", "a\x1fb", auto + "a-b", "a\x1fb", auto + "a-b", "a\x1fb"},
		{"T2/not normalised here", "Cafe\u0301 x", auto + "cafe-x", "Cafe\u0301 x", auto + "cafe-x", "Cafe\u0301 x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if thread, stored := samp.DeriveThread(c.body, "a", date, samp.V1); thread != c.thread || stored != c.stored {
				t.Errorf("v1: %q and %q, want %q and %q", thread, stored, c.thread, c.stored)
			}
			if thread, stored := samp.DeriveThread(c.body, "a", date, samp.V1Compact); thread != c.rev || stored != c.revStored {
				t.Errorf("v1-compact: %q and %q, want %q and %q", thread, stored, c.rev, c.revStored)
			}
		})
	}
}

// TestReplyKeepsThread holds T3: a record that is built takes its thread and
// body as they are, whatever the body starts with.
func TestReplyKeepsThread(t *testing.T) {
	for _, p := range []samp.Profile{samp.V1, samp.V1Compact} {
		r, err := samp.Build("a", "b", " old thread\n", "[thread:new] x", 5, p)
		if err != nil {
			t.Fatal(err)
		}
		if r.Thread != " old thread\n" || r.Body != "[thread:new] x" {
			t.Errorf("T3 %v: %+v", p, r)
		}
	}
}

// TestTables goes through every character there is: what ends a line, what is
// white space, and what a slug makes of it.
func TestTables(t *testing.T) {
	var want struct {
		Spaces, Breaks [][2]rune
		Slugs          map[string]string
	}
	readJSON(t, "unicode.json", &want)
	if len(want.Spaces) == 0 || len(want.Breaks) == 0 || len(want.Slugs) < 60 {
		t.Fatalf("tables are missing: %+v", want)
	}
	in := func(table [][2]rune, r rune) bool {
		for _, run := range table {
			if run[0] <= r && r <= run[1] {
				return true
			}
		}
		return false
	}
	for r := rune(0); r <= 0x10ffff; r++ {
		if 0xd800 <= r && r <= 0xdfff {
			continue
		}
		c := string(r)
		if got := samp.FirstLine("a"+c+"b") == "a"; got != in(want.Breaks, r) {
			t.Errorf("T2 %U ends a line: %v", r, got)
		}
		if long := strings.Repeat(`é "x" `, int(r%20)); samp.FirstLine(long+c+"b") == long != in(want.Breaks, r) {
			t.Errorf("T2 %U ends a line, behind %d characters: %v", r, len(long), !in(want.Breaks, r))
		}
		name, _ := samp.DeriveThread(c+"[thread:x]", "a", date, samp.V1)
		if got := name == "x"; got != in(want.Spaces, r) {
			t.Errorf("T1 %U is white space: %v", r, got)
		}
		slug, ok := want.Slugs[fmt.Sprintf("%04X", r)]
		if !ok {
			slug = "x-y"
		}
		name, _ = samp.DeriveThread("x"+c+"y", "a", date, samp.V1)
		if name != date+"-a-"+slug {
			t.Errorf("T2 slug of x%Uy: %s, want %s", r, name, slug)
		}
	}
}
