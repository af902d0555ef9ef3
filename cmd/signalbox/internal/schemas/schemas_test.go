package schemas

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var root = filepath.Join("..", "..", "..", "..")

// TestFiles holds that docs/json has the schema of each value, as "make generate" writes
// it, and no others.
func TestFiles(t *testing.T) {
	dir := filepath.Join(root, "docs", "json")
	names := make(map[string]bool)
	comments := Read(root)
	for _, v := range Values() {
		want, err := comments.File(v)
		if err != nil {
			t.Error(err)
			continue
		}
		name := Name(v) + ".schema.json"
		names[name] = true
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || strings.ReplaceAll(string(got), "\r\n", "\n") != string(want) {
			t.Errorf("%s is not as \"make generate\" writes it (%v)", name, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !names[e.Name()] {
			t.Errorf("nothing prints %s", e.Name())
		}
	}
}

// TestDescriptions holds that a member without a description is an error.
func TestDescriptions(t *testing.T) {
	type bare struct {
		Odd int `json:"odd"`
	}
	if _, err := Read(root).File(bare{}); err == nil || !strings.Contains(err.Error(), "bare.odd has no description") {
		t.Errorf("got %v", err)
	}
}

// TestTimes holds that a time is a number of milliseconds wherever it is printed.
func TestTimes(t *testing.T) {
	for _, v := range Values() {
		s, err := Schema(v)
		if err != nil {
			t.Fatal(err)
		}
		if at := s.Properties["time"]; at != nil && at.Type != "integer" {
			t.Errorf("the time of %s is a %s", Name(v), at.Type)
		}
	}
}
