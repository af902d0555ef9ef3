package samp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestMatches names messages by ids that anybody can write.
func TestMatches(t *testing.T) {
	found := func(from, body, id string) samp.Found {
		r, err := samp.Build(from, "me", "t", body, 1777118400, samp.V1)
		if err != nil {
			t.Fatal(err)
		}
		if id != "" {
			r.ID = id
		}
		return samp.Found{Record: r, Key: r.ID, Stem: from}
	}
	alice := found("alice", "one", "")
	copied := found("mallory", "two", alice.ID)
	bob, eve := found("bob", "three", "aaaa1111"), found("eve", "four", "aaaa1111")
	other := found("bob", "five", "aaaa2222")
	colon := found("bob", "six", "alice:x")
	all := []samp.Found{copied, alice, bob, eve, other, colon}
	for token, want := range map[string][]string{
		alice.ID:                  {"two", "one"},
		alice.ID[:6]:              {"two", "one"},
		"alice:" + alice.ID:       {"one"},
		"mallory:" + alice.ID:     {"two"},
		"mallory:" + alice.ID[:6]: {"two"},
		"bob:" + alice.ID:         nil,
		"aaaa1111":                {"three", "four"},
		"bob:aaaa1111":            {"three"},
		"eve:aaaa1111":            {"four"},
		"aaaa":                    {"three", "four", "five"},
		"bob:aaaa":                {"three", "five"},
		"alice:x":                 {"six"},
		"none":                    nil,
		":" + alice.ID:            {"two", "one"},
	} {
		var got []string
		for _, f := range samp.Matches(all, token) {
			got = append(got, f.Body)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", token, diff)
		}
	}
	for i, token := range samp.Tokens(all) {
		if got := samp.Matches(all, token); len(got) != 1 || got[0].Body != all[i].Body {
			t.Errorf("%s names %d messages", token, len(got))
		}
	}
	if diff := cmp.Diff([]string{"alice:" + alice.ID, "mallory:" + alice.ID}, samp.Tokens([]samp.Found{alice, copied})); diff != "" {
		t.Errorf("tokens of two with one id (-want +got):\n%s", diff)
	}
	if got := samp.Tokens([]samp.Found{alice}); got[0] != alice.ID {
		t.Errorf("token of one: %q", got)
	}
	if alice.Token() != alice.ID || copied.Token() != "mallory:"+alice.ID {
		t.Errorf("%s, %s", alice.Token(), copied.Token())
	}
}
