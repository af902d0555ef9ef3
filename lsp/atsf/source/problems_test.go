package source

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestProblems checks that each problem is reported once, and no more of them than a
// person reads, since every list of threads carries them. ATSF L1 L6
func TestProblems(t *testing.T) {
	reason := "is a link\x1b"
	s := &atsfstore.Snapshot{Folders: []atsfstore.Folder{
		{Err: errors.New(reason), Problems: []atsfstore.Problem{{Rule: "L1", Reason: reason, Advice: "remove it"}}},
		{Err: errors.New("is no directory")},
	}}
	want := []panel.Warning{{Rule: "L1", Message: "is a link⟨U+001B⟩; remove it"}, {Rule: "L1", Message: "is no directory"}}
	if diff := cmp.Diff(want, (&source{}).view(nil, s, nil).Problems()); diff != "" {
		t.Error(diff)
	}
	for range 1000 {
		s.Problems = append(s.Problems, atsfstore.Problem{Rule: "L6", Reason: "is damaged"})
	}
	list := (&source{}).view(nil, s, nil).Problems()
	if n := len(list); n != panel.MaxWarnings+1 || list[n-1].Message != "and more: run signalbox doctor" {
		t.Errorf("%d warnings, the last %+v", n, list[n-1])
	}
}
