//go:build editors

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// docBlocks gives the fenced blocks of a page in docs that are of one language, one
// after the other: what a reader copies is what is tested.
func docBlocks(t *testing.T, page, language string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	_, rest, found := strings.Cut(string(data), "\n```"+language+"\n")
	for found {
		var block string
		if block, rest, found = strings.Cut(rest, "\n```\n"); !found {
			t.Fatalf("%s: a block of %s has no end", page, language)
		}
		blocks = append(blocks, block+"\n")
		_, rest, found = strings.Cut(rest, "\n```"+language+"\n")
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return blocks
}
