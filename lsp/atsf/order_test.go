package atsf

import (
	"strings"
	"testing"
)

// TestSortFolders: a list has each repository in one place, however its
// checkouts were found.
func TestSortFolders(t *testing.T) {
	list := []Folder{
		{Path: "plain"},
		{Path: "gone", Repository: "shop", Branch: "a", Gone: true},
		{Path: "late", Repository: "shop", Branch: "release"},
		{Path: "other", Repository: "api", Branch: "main", Main: true},
		{Path: "early", Repository: "shop", Branch: "fix"},
		{Path: "detached", Repository: "shop"},
		{Path: "main", Repository: "shop", Branch: "z", Main: true},
	}
	sortFolders(list)
	var got []string
	for i := range list {
		got = append(got, list[i].Path)
	}
	if want := "plain main detached early late gone other"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
