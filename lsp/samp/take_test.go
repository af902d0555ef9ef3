package samp

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestTake marks any part of the unread mail as read. The rest stays unread, for us and for
// another tool that uses only the watermark, and no message is shown twice.
func TestTake(t *testing.T) {
	read := func(t *testing.T, r *reader) *Reading {
		got, err := r.dir.ReadNew(t.Context(), "me", samp.V1, time.Unix(250, 0), r.state)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(got.Close)
		return got
	}
	// Two of one second, and one whose sender's clock runs ahead.
	all := []string{"a", "b", "c", "d", "e"}
	for part := range 1 << len(all) {
		d := storeOf(t, nil)
		for i, ts := range []int64{100, 200, 200, 240, 900} {
			appendLog(t, d, "x", lineOf("x", "me", all[i], ts))
		}
		ours := readerOf(t, d)
		taken := func(body string) bool { return part>>slices.Index(all, body)&1 == 1 }
		r := read(t, ours)
		waiting := r.Waiting()
		texts := unreadBodies(t, r, waiting)
		var shown []Unread
		for i := range waiting {
			if taken(texts[i]) {
				shown = append(shown, waiting[i])
			}
		}
		for _, err := range r.Take(shown) {
			t.Error(err)
		}
		want := slices.DeleteFunc(slices.Clone(all), taken)
		again := read(t, ours)
		if got := unreadBodies(t, again, again.Waiting()); strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("after %05b there wait %q, want %q", part, got, want)
		}
		other := read(t, &reader{t, d, nil})
		if diff := cmp.Diff(append([]string{}, want...), unreadBodies(t, other, other.Fresh)); diff != "" {
			t.Errorf("after %05b another tool shows (-want +got):\n%s", part, diff)
		}
		sig, err := d.Signature()
		if err != nil || d.Unchanged("me", sig) != (len(want) == 0) {
			t.Errorf("after %05b nothing seems to be new: %v, %v", part, d.Unchanged("me", sig), err)
		}
	}
}

// TestTakeWithoutState marks nothing if there is no state to save marks in.
func TestTakeWithoutState(t *testing.T) {
	d := storeOf(t, nil)
	appendLog(t, d, "x", lineOf("x", "me", "a", 100), lineOf("x", "me", "b", 200))
	r, err := d.ReadNew(t.Context(), "me", samp.V1, time.Unix(250, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if errs := r.Take(r.Waiting()[:1]); len(errs) != 1 {
		t.Errorf("errors: %v", errs)
	}
	if _, found, err := d.Watermark("me"); found || err != nil {
		t.Errorf("a watermark was written: %v, %v", found, err)
	}
}
