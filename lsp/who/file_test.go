package who

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// lay writes files below a folder. A name that ends in "/" is a folder.
func lay(t *testing.T, top string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(top, filepath.FromSlash(name))
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if dir == path {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// wide returns a text as UTF-16.
func wide(text string, order binary.ByteOrder, mark bool) string {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	data := make([]byte, 2*len(units))
	for i, u := range units {
		order.PutUint16(data[2*i:], u)
	}
	return string(data)
}

// TestReadAlias reads the file as the programs of all systems write it, and names one that
// names nobody.
func TestReadAlias(t *testing.T) {
	for name, c := range map[string]struct{ text, alias string }{
		"plain":               {"coder\n", "coder"},
		"the first valid one": {"# me\n\na b\n  coder \nother\n", "coder"},
		"old line ends":       {"# me\rcoder\r", "coder"},
		"UTF-8 with a mark":   {"\ufeffcoder\r\n", "coder"},
		"UTF-16, Windows":     {wide("coder\r\n", binary.LittleEndian, true), "coder"},
		"UTF-16, the other":   {wide("# ich\ncoder\r\n", binary.BigEndian, true), "coder"},
		"no mark":             {wide("coder\r\n", binary.LittleEndian, false), "coder"},
		"no mark, the other":  {wide("coder", binary.BigEndian, false), "coder"},
		"half a character":    {wide("coder\n", binary.LittleEndian, true) + "x", "coder"},
		"nothing":             {"", ""},
		"no alias":            {"who am I?\n", ""},
		"long":                {strings.Repeat("\n", maxAliasFile) + "coder\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			lay(t, dir, map[string]string{aliasFile: c.text})
			alias, err := readAlias(dir)
			if alias != c.alias || (err != nil) != (c.alias == "") {
				t.Errorf("%q, %v", alias, err)
			}
			if err != nil && !strings.Contains(err.Error(), filepath.Join(dir, aliasFile)) {
				t.Errorf("the file is not named: %v", err)
			}
		})
	}
	if alias, err := readAlias(t.TempDir()); alias != "" || err != nil {
		t.Errorf("no file: %q, %v", alias, err)
	}
	dir := t.TempDir()
	lay(t, dir, map[string]string{aliasFile + "/": ""})
	if _, err := readAlias(dir); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a folder: %v", err)
	}
	dir = t.TempDir()
	if err := os.Symlink("gone", filepath.Join(dir, aliasFile)); err != nil {
		t.Fatal(err)
	}
	if alias, err := readAlias(dir); err == nil || !strings.Contains(err.Error(), aliasFile) {
		t.Errorf("a link to nothing: %q, %v", alias, err)
	}
}

// FuzzAliasFile has any bytes name a valid alias or nobody.
func FuzzAliasFile(f *testing.F) {
	for _, s := range []string{"\ufeffalice\r\nbob", "../../x\n\u0430lice\nbob\n", "\xff\xfea\x00", "\xfe\xff\x00a", "a\x00", "\x00a", "\xff\x00", ""} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, aliasFile), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if alias, err := readAlias(dir); (err == nil) != samp.ValidAlias(alias) {
			t.Fatalf("%q names %q, %v", data, alias, err)
		}
	})
}

// sparse makes a file of a length that nothing was written to.
func sparse(t *testing.T, path string, size int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, fs.FileMode(0o600))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
}

// TestReadSparse reads no more than the limit of a file without end.
func TestReadSparse(t *testing.T) {
	dir := t.TempDir()
	sparse(t, filepath.Join(dir, aliasFile), 1<<40)
	if _, err := readAlias(dir); err == nil || !strings.Contains(err.Error(), "is longer than") {
		t.Error(err)
	}
}

// TestReference has the names that the published tool gives (rule D1), and with a work tree
// those that a person has without any note.
func TestReference(t *testing.T) {
	top := t.TempDir()
	lay(t, top, map[string]string{
		"proj/.git/HEAD": "", "proj/src/a.go": "", "wt/.git": "gitdir: /x\n", "wt/src/deep/a.go": "",
		"named/.git/HEAD": "", "named/.agent-message": "# me\ncoder\n", "named/src/a.go": "", "named/doc/.agent-message": "writer\n",
		"plain/sub/a.go": "", "plain/.agent-message": "nobody\n", "odd name/.git/HEAD": "", "odd name/src/a.go": "",
	})
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
		{"odd name/src", "odd-name", "the name of this work tree", "unknown", "src"},
	} {
		env := environ.Env{Getenv: func(string) string { return "" }, Home: filepath.Join(top, "home"), Work: filepath.Join(top, filepath.FromSlash(c.work))}
		q := Query{Env: env, Mail: filepath.Join(top, "mail")}
		if got := Find(q); got.Value != c.alias || got.Origin != c.origin {
			t.Errorf("%s: %+v, want %s from %s", c.work, got, c.alias, c.origin)
		}
		q.Untrusted = true
		if got := Find(q); got.Value != c.untrusted {
			t.Errorf("%s, not trusted: %+v, want %s", c.work, got, c.untrusted)
		}
		if got := Reference(env, environ.Choice{}); got.Value != c.here {
			t.Errorf("D1/%s: %+v, want %s", c.work, got, c.here)
		}
		q.Given = environ.Choice{Value: "me", Origin: "--as"}
		if got := Find(q); got.Value != "me" || !got.Given {
			t.Errorf("%s with a flag: %+v", c.work, got)
		}
	}
}
