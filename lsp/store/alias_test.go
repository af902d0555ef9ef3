package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
)

// TestFindAlias finds one alias for all folders of a work tree, and the published tool's
// everywhere else.
func TestFindAlias(t *testing.T) {
	top := t.TempDir()
	for path, text := range map[string]string{
		"proj/.git/HEAD": "", "proj/src/a.go": "", "wt/.git": "gitdir: /x\n", "wt/src/deep/a.go": "",
		"named/.git/HEAD": "", "named/.agent-message": "# me\ncoder\n", "named/src/.agent-message": "a b\n", "named/doc/.agent-message": "writer\n",
		"plain/sub/a.go": "", "plain/.agent-message": "nobody\n", "odd name/.git/HEAD": "", "odd name/src/a.go": "",
	} {
		path = filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		work, alias, origin, untrusted, here string
	}{
		{"proj", "proj", "the folder's name", "proj", "proj"},
		{"proj/src", "proj", "the work tree's name", "proj", "src"},
		{"wt/src/deep", "wt", "the work tree's name", "wt", "deep"},
		{"named", "coder", ".agent-message", "named", "coder"},
		{"named/src", "coder", filepath.Join(top, "named/.agent-message"), "named", "src"},
		{"named/doc", "writer", ".agent-message", "named", "writer"},
		{"plain/sub", "sub", "the folder's name", "sub", "sub"},
		{"odd name/src", "unknown", "nothing names an alias", "unknown", "src"},
	} {
		env := environ.Env{Getenv: func(string) string { return "" }, Home: top, Work: filepath.Join(top, filepath.FromSlash(c.work))}
		if got := store.FindAlias(env, "", "--as", true); got.Value != c.alias || got.Origin != c.origin {
			t.Errorf("%s: %+v, want %s from %s", c.work, got, c.alias, c.origin)
		}
		if got := store.FindAlias(env, "", "--as", false); got.Value != c.untrusted {
			t.Errorf("%s, not trusted: %+v, want %s", c.work, got, c.untrusted)
		}
		if got := store.FindAliasHere(env, "", "--as"); got.Value != c.here {
			t.Errorf("D1/%s: %+v, want %s", c.work, got, c.here)
		}
		if got := store.FindAlias(env, "me", "--as", true); got.Value != "me" {
			t.Errorf("%s with a flag: %+v", c.work, got)
		}
	}
}
