package atsf

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// ids gives the ids of a page's entries, the rules of gaps in brackets.
func ids(p Page) (list []string) {
	for _, e := range p.Entries {
		if e.Fault != nil {
			list = append(list, "["+e.Fault.Rule+"]")
			continue
		}
		list = append(list, e.Message.ID)
	}
	return list
}

func numbers(p Page) (list []int64) {
	for _, e := range p.Entries {
		list = append(list, e.Number)
	}
	return list
}

// TestPages walks through a thread in both directions and meets each message
// once.
func TestPages(t *testing.T) {
	for _, n := range []int{0, 1, 6, 7, 8, 100, 2000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b := newReadFixture(t)
			b.thread("p", "a", 1, manySaid(n)...)
			d := b.open("p")
			var want []string
			for i := range n {
				want = append(want, fmt.Sprintf("m%d", i))
			}
			var got []string
			q := Query{Limit: 7}
			for {
				page, err := d.Page(t.Context(), "a", q)
				if err != nil {
					t.Fatal(err)
				}
				if q.Before == "" && page.After != "" {
					t.Error("the newest page has newer ones")
				}
				got = append(ids(page), got...)
				if len(page.Entries) > 0 {
					if first := page.Entries[0]; first.Number != int64(n-len(got)+1) {
						t.Fatalf("line %d is numbered %d", n-len(got)+1, first.Number)
					}
				}
				if q.Before = page.Before; q.Before == "" {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if n == 0 {
				return
			}
			first, err := d.Page(t.Context(), "a", Query{Around: "m0", Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			got = ids(first)
			for at := first.After; at != ""; {
				page, err := d.Page(t.Context(), "a", Query{After: at, Limit: 7})
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, ids(page)...)
				at = page.After
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPageGaps reads around lines that are none. ATSF M1 M5 X1
func TestPageGaps(t *testing.T) {
	b := newReadFixture(t)
	long := `{"id":"long","text":"` + strings.Repeat("x", MaxLine) + `"}`
	b.thread("p", "a", 1, said("m1", "x"), "no json", "", said("m2", "y"), "[1]", long, "\xff\xfe", "   ", said("m3", "z"))
	b.appendTo("p", "a", said("m4", "torn"))
	page, err := b.open("p").Page(t.Context(), "a", Query{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"m1", "[M1]", "m2", "[M1]", "[M1]", "[X1]", "m3"}, ids(page)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{1, 2, 4, 5, 6, 7, 9}, numbers(page)); diff != "" {
		t.Error(diff)
	}
	if !page.Torn {
		t.Error("M5: the unfinished line is not told of")
	}
	if gap := page.Entries[4]; gap.Size != int64(len(long)) || !strings.Contains(gap.Fault.Reason, fmt.Sprint(len(long))) || gap.Message.Raw != nil {
		t.Errorf("the long line: %d %v", gap.Size, gap.Fault)
	}
	for i, e := range page.Entries {
		one, err := b.open("p").Page(t.Context(), "a", Query{After: e.Cursor, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if i+1 < len(page.Entries) && one.Entries[0].Cursor != page.Entries[i+1].Cursor {
			t.Errorf("after entry %d comes line %d", i, one.Entries[0].Number)
		}
	}
	b.appendTo("p", "a", "\n")
	if page, err = b.open("p").Page(t.Context(), "a", Query{Limit: 1}); err != nil || page.Torn || ids(page)[0] != "m4" {
		t.Errorf("the finished line: %v %v", ids(page), err)
	}
}

// TestPageBounds holds that a page stays small: by the bytes of its lines and by
// the parts that they are made of.
func TestPageBounds(t *testing.T) {
	b := newReadFixture(t)
	heavy := make([]string, 10)
	for i := range heavy {
		heavy[i] = said(fmt.Sprint("h", i), strings.Repeat("x", MaxPage/4))
	}
	b.thread("p", "heavy", 1, heavy...)
	many := `{"id":"%d","role":"user","timestamp":"2026-02-20T09:00:00.000Z","content":[` + strings.Repeat(`{},`, 3000) + `{}]}`
	var parts []string
	for i := range 20 {
		parts = append(parts, fmt.Sprintf(many, i))
	}
	b.thread("p", "many", 1, parts...)
	b.thread("p", "blank", 1, strings.Repeat("\n", 2*maxBlank))
	d := b.open("p")
	page, err := d.Page(t.Context(), "heavy", Query{})
	if err != nil || len(page.Entries) != 3 || page.Before == "" {
		t.Errorf("heavy: %v %v", ids(page), err)
	}
	if page, err = d.Page(t.Context(), "heavy", Query{Around: "h4"}); err != nil || len(page.Entries) != 3 || page.Before == "" || page.After == "" {
		t.Errorf("heavy around: %v %v", ids(page), err)
	}
	if page, err = d.Page(t.Context(), "many", Query{}); err != nil || len(page.Entries) != 5 || page.Before == "" {
		t.Errorf("many: %v %v", ids(page), err)
	}
	if page, err = d.Page(t.Context(), "blank", Query{}); err != nil || len(page.Entries) != 0 || page.Before == "" {
		t.Errorf("blank: %v %v", page, err)
	}
	if page, err = d.Page(t.Context(), "many", Query{Limit: 1 << 30}); err != nil || len(page.Entries) > MaxLimit {
		t.Errorf("limit: %v", err)
	}
}

// TestPageReadsTail holds that the newest page of a long log is read from its
// end: the beginning is a hole of a terabyte, which nobody could read.
func TestPageReadsTail(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1)
	at := b.threadPath("p", "a", atsf.MessagesName)
	if err := os.Truncate(at, 1<<40); err != nil {
		t.Log("the file system has no holes: ", err)
		return
	}
	b.appendTo("p", "a", "\n"+strings.Join(manySaid(60), "\n")+"\n")
	page, err := b.open("p").Page(disktest.Within(t), "a", Query{Limit: 50})
	if err != nil || len(page.Entries) != 50 || page.Entries[49].Message.ID != "m59" || page.Entries[49].Number != 0 {
		t.Fatalf("%v %v", ids(page), err)
	}
}

// TestPageRewritten holds what a cursor says of a log that was written anew.
// ATSF Z6
func TestPageRewritten(t *testing.T) {
	b := newReadFixture(t)
	running := `{"id":"%s","role":"agent","timestamp":"2026-02-20T09:00:00.000Z","content":[],"toolCalls":[{"toolCallId":"t","name":"bash","status":"%s"}]}`
	lines := []string{said("m0", "x"), fmt.Sprintf(running, "m1", "pending"), said("m2", "y"), "no json", said("m3", "z")}
	b.thread("p", "a", 1, lines...)
	d := b.open("p")
	page, err := d.Page(t.Context(), "a", Query{})
	if err != nil {
		t.Fatal(err)
	}
	// The status of the second line changes, and all behind it moves.
	lines[1] = fmt.Sprintf(running, "m1", "completed")
	b.log("p", "a", lines...)
	for i, e := range page.Entries {
		next, err := d.Page(t.Context(), "a", Query{After: e.Cursor})
		if e.Fault != nil {
			// A line without an id cannot be found again.
			if !errors.Is(err, ErrRewritten) {
				t.Errorf("entry %d: %v", i, err)
			}
			continue
		}
		if err != nil || len(next.Entries) != len(lines)-i-1 {
			t.Errorf("entry %d: %v %v", i, ids(next), err)
		}
	}
	first, err := one(t, d, "a", Query{Around: "m1"})
	if err != nil || first.Message.Tools[0].State() != atsf.Completed {
		t.Errorf("Z6: the changed status is not shown: %+v %v", first, err)
	}
	b.log("p", "a", said("other", "x"))
	for _, q := range []Query{{After: page.Entries[0].Cursor}, {Before: page.Entries[4].Cursor}} {
		if _, err := d.Page(t.Context(), "a", q); !errors.Is(err, ErrRewritten) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	for _, bad := range []string{"x", "0-i", "-i0123456789abcdef", "0-x0123456789abcdef", "+1-i0123456789abcdef", "ffffffffffffffffff-i0123456789abcdef", "0-i0123456789ABCDEF"} {
		if _, err := d.Page(t.Context(), "a", Query{Before: bad}); !errors.Is(err, ErrCursor) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestPageMoved finds a line again that moved in a log too long to be searched
// whole, if it did not move far. ATSF Z6
func TestPageMoved(t *testing.T) {
	b := newReadFixture(t)
	lines := make([]string, 40)
	for i := range lines {
		lines[i] = said(fmt.Sprint("m", i), strings.Repeat("x", searchAll/32))
	}
	b.thread("p", "a", 1, lines...)
	d := b.open("p")
	page, err := d.Page(t.Context(), "a", Query{Around: "m20", Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	q := Query{After: page.Entries[0].Cursor, Limit: 1}
	lines[3] = said("m3", strings.Repeat("y", searchAll/32+searchNear/2))
	b.log("p", "a", lines...)
	if page, err = d.Page(t.Context(), "a", q); err != nil || page.Entries[0].Message.ID != "m21" {
		t.Errorf("a little moved: %v %v", ids(page), err)
	}
	lines[3] = said("m3", strings.Repeat("y", searchAll/32+4*searchNear))
	b.log("p", "a", lines...)
	if _, err = d.Page(t.Context(), "a", q); !errors.Is(err, ErrRewritten) {
		t.Errorf("moved far: %v", err)
	}
}

// TestPageRefused holds that a thread of a higher major version is listed and
// not read. ATSF V2
func TestPageRefused(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	page, err := b.open("p").Page(t.Context(), "major-2", Query{})
	var f *canon.Fault
	if !errors.As(err, &f) || f.Rule != "V2" || page.Item == nil || len(page.Entries) > 0 {
		t.Errorf("%+v %v", page, err)
	}
}

// TestLine: a cursor leads to its very line, also where an id is missing or
// stands twice (ATSF M2), and to none once the line is gone.
func TestLine(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1, append(manySaid(3), manySaid(3)...)...)
	d := b.open("p")
	page, err := d.Page(t.Context(), "a", Query{})
	if err != nil || len(page.Entries) != 6 {
		t.Fatalf("%d entries, %v", len(page.Entries), err)
	}
	for _, want := range page.Entries {
		got, err := one(t, d, "a", Query{At: want.Cursor})
		if err != nil || got.Offset != want.Offset || got.Number != want.Number {
			t.Errorf("line %d is %d, %v", want.Number, got.Number, err)
		}
	}
	for cursor, want := range map[string]error{"m0": ErrCursor, "ffff-r0123456789abcdef": ErrRewritten} {
		if _, err := one(t, d, "a", Query{At: cursor}); !errors.Is(err, want) {
			t.Errorf("%q: %v", cursor, err)
		}
	}
	if _, err := one(t, d, "none", Query{At: page.Entries[0].Cursor}); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// TestMessage finds messages by their ids, however they are spelled.
func TestMessage(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1, said("m1", "first"), said("mm1", "m1"), `{"id":"\u006d2","role":"user"}`, said("m1", "again"), said("ü/1", "x"), `{"id":"m9","id":"m3"}`)
	d := b.open("p")
	for id, number := range map[string]int64{"m1": 4, "mm1": 2, "m2": 3, "ü/1": 5, "m3": 6} {
		e, err := one(t, d, "a", Query{Around: id})
		if err != nil || e.Number != number || e.Message.ID != id {
			t.Errorf("%q: line %d %v", id, e.Number, err)
		}
	}
	for _, id := range []string{"m", "m9", "first"} {
		if _, err := one(t, d, "a", Query{Around: id}); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	b.thread("p", "long", 1, manySaid(500)...)
	for _, id := range []string{"m0", "m250", "m499"} {
		page, err := d.Page(t.Context(), "long", Query{Around: id, Limit: 20})
		if err != nil || len(page.Entries) > 20 || !strings.Contains(strings.Join(ids(page), " ")+" ", id+" ") {
			t.Errorf("around %s: %v %v", id, ids(page), err)
		}
	}
	for _, name := range []string{"missing", "..", ""} {
		if _, err := d.Page(t.Context(), name, Query{}); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestEntryPlace names a line without a number by its place: ATSF M1.
func TestEntryPlace(t *testing.T) {
	for want, e := range map[string]Entry{"line 3": {Number: 3, Offset: 70}, "the line at byte 70": {Offset: 70}} {
		if got := e.Place(); got != want {
			t.Errorf("M1: %q, want %q", got, want)
		}
	}
}
