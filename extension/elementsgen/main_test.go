package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGenerated compares src/webview/elements.ts with the sanitizer's list.
func TestGenerated(t *testing.T) {
	got, err := os.ReadFile("../src/webview/elements.ts")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(source(), string(got)); diff != "" {
		t.Errorf("elements.ts is old; run go generate ./extension/elementsgen\n%s", diff)
	}
}
