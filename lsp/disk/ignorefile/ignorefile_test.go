package ignorefile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLook is rule S2: which files of rules lack what.
func TestLook(t *testing.T) {
	two := Rules{Own: true, Ignore: []string{".seen-*", "**/.tmp-*"}}
	here := []string{"/.seen-*", "/.tmp-*", "/**/.tmp-*"}
	for _, c := range []struct {
		name  string
		dirs  []string
		files map[string]string
		dir   string
		own   bool
		want  map[string][]string
	}{
		{name: "nothing carries it", dir: "m", own: true, want: map[string][]string{"m/.stignore": here}},
		{name: "a project is not prepared", dir: "m", want: map[string][]string{}},
		{name: "the root of a folder", dirs: []string{"m/.stfolder"}, dir: "m", want: map[string][]string{"m/.stignore": here}},
		{
			name: "below the root", dirs: []string{".stfolder", "a/m"}, dir: "a/m", own: true,
			want: map[string][]string{".stignore": {"/a/m/.seen-*", "/a/m/.tmp-*", "/a/m/**/.tmp-*"}},
		},
		{
			name: "characters of patterns in the way", dirs: []string{".stfolder", "a[1],{b}/m"}, dir: "a[1],{b}/m", own: true,
			want: map[string][]string{".stignore": {"/a?1???b?/m/.seen-*", "/a?1???b?/m/.tmp-*", "/a?1???b?/m/**/.tmp-*"}},
		},
		{
			name: "two folders, one within the other", dirs: []string{".stfolder", "m/.stfolder"}, dir: "m", own: true,
			want: map[string][]string{".stignore": {"/m/.seen-*", "/m/.tmp-*", "/m/**/.tmp-*"}, "m/.stignore": here},
		},
		{
			name: "git too", dirs: []string{".git", "m"}, dir: "m", own: true,
			want: map[string][]string{"m/.stignore": here, "m/.gitignore": {"/.seen-*", "/**/.tmp-*"}},
		},
		{
			name: "all there, in other words", dirs: []string{".stfolder", "m"}, dir: "m", own: true,
			files: map[string]string{".stignore": "(?d).seen-*\r\n(?i)(?d)/m/.tmp-*\n.tmp-*\n"},
			want:  map[string][]string{},
		},
		{
			name: "a decision to carry it stands", dirs: []string{"m/.stfolder"}, dir: "m",
			files: map[string]string{"m/.stignore": "!/.seen-*\n.tmp-*\n"}, want: map[string][]string{},
		},
		{
			name: "a comment is no rule", dirs: []string{"m/.stfolder"}, dir: "m",
			files: map[string]string{"m/.stignore": "//.seen-*\n.tmp-*\n"}, want: map[string][]string{"m/.stignore": {"/.seen-*"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := real(t)
			for _, d := range append(c.dirs, c.dir) {
				mkdir(t, filepath.Join(at, d))
			}
			for name, text := range c.files {
				write(t, filepath.Join(at, name), text)
			}
			rules := two
			rules.Dir, rules.Own = filepath.Join(at, c.dir), c.own
			files, err := Look(rules)
			if err != nil {
				t.Fatal(err)
			}
			got := make(map[string][]string)
			for _, f := range files {
				rel, err := filepath.Rel(at, f.Path)
				if err != nil || f.Err != nil {
					t.Fatal(err, f.Err)
				}
				got[filepath.ToSlash(rel)] = f.Missing
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := Look(Rules{Dir: filepath.Join(t.TempDir(), "no")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

// TestDocumented is rule S2: the lines for other tools in docs/sync.md name what the
// rules for Syncthing name.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "sync.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules := Messages("").Ignore
	for _, want := range []string{
		"| `" + strings.Join(rules, "`, `") + "` |",
		"rsync -a --update --exclude '" + strings.Join(rules, "' --exclude '") + "'`",
		"{" + strings.Join(rules, ",") + "}",
		"ignored files: `" + strings.Join(rules, "`, `") + "` |",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/sync.md does not say %s", want)
		}
	}
}

// TestWrite adds rules and keeps every line that was there, and a second run
// finds nothing to do.
func TestWrite(t *testing.T) {
	const ours = "signalbox doctor --fix: belongs to one machine alone"
	for _, c := range []struct{ name, file, old, want string }{
		{"a new file", Syncthing, "", "// " + ours + "\n/.seen-*\n"},
		{"ours come first, since the first one counts", Syncthing, "!/*.jsonl\n*", "// " + ours + "\n/.seen-*\n!/*.jsonl\n*"},
		{"but for a directive", Syncthing, "#escape=|\n*\n", "#escape=|\n// " + ours + "\n/.seen-*\n*\n"},
		{"a directive alone", Syncthing, "#escape=|", "#escape=|\n// " + ours + "\n/.seen-*\n"},
		{"Windows' line ends", Syncthing, "*.bak\r\n", "// " + ours + "\r\n/.seen-*\r\n*.bak\r\n"},
		{"one heading", Syncthing, "// " + ours + "\n/.mtime-*\n", "// " + ours + "\n/.seen-*\n/.mtime-*\n"},
		{"no text", Syncthing, "\xff\xfe\n", "// " + ours + "\n/.seen-*\n\xff\xfe\n"},
		{"git: ours come last", Git, "!*\nx", "!*\nx\n# " + ours + "\n/.seen-*\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := real(t)
			marker := map[string]string{Syncthing: stMarker, Git: gitMarker}[c.file]
			mkdir(t, filepath.Join(at, marker))
			name := filepath.Join(at, c.file)
			if c.old != "" {
				write(t, name, c.old)
				if err := os.Chmod(name, 0o640); err != nil {
					t.Fatal(err)
				}
			}
			look := func() []File {
				t.Helper()
				files, err := Look(Rules{Dir: at, Own: c.file == Git, Ignore: []string{".seen-*"}})
				if err != nil {
					t.Fatal(err)
				}
				for i, f := range files {
					if f.Name == c.file {
						return files[i : i+1]
					}
				}
				return nil
			}
			files := look()
			if len(files) != 1 {
				t.Fatalf("%d files lack something", len(files))
			}
			if err := files[0].Write(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(name)
			if err != nil || string(got) != c.want {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
			if info, err := os.Stat(name); c.old != "" && runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
				t.Errorf("the mode is %v, %v", info.Mode(), err)
			}
			if again := look(); len(again) != 0 {
				t.Errorf("a second look finds %q", again[0].Missing)
			}
			entries, err := os.ReadDir(at)
			if err != nil || len(entries) != 2 {
				t.Errorf("left behind: %v, %v", entries, err)
			}
		})
	}
}

// TestWriteRefuses leaves alone what it did not read: a file that changed, one that
// came, and a link.
func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		name, before string
		meanwhile    func(t *testing.T, file string)
		wrong        error
	}{
		{"changed", "a\n", func(t *testing.T, file string) { write(t, file, "b\n") }, ErrChanged},
		{"came", "", func(t *testing.T, file string) { write(t, file, "b\n") }, ErrChanged},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := real(t)
			file := filepath.Join(at, Syncthing)
			if c.before != "" {
				write(t, file, c.before)
			}
			files, err := Look(Messages(at))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			c.meanwhile(t, file)
			if err := files[0].Write(); !errors.Is(err, c.wrong) {
				t.Errorf("written: %v", err)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != "b\n" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	at := real(t)
	mkdir(t, filepath.Join(at, Syncthing))
	files, err := Look(Messages(at))
	if err != nil || len(files) != 1 || files[0].Err == nil || files[0].Write() == nil {
		t.Errorf("a directory of that name: %v, %v", files, err)
	}
}

// real is a folder whose path has no links, as macOS's temporary one has.
func real(t *testing.T) string {
	t.Helper()
	at, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// FuzzRules: whatever somebody wrote into a .stignore, all of it stands in the file
// with our rules, and that file lacks nothing.
func FuzzRules(f *testing.F) {
	for _, s := range []string{
		"(?d).seen-*\n/.mtime-*\n", "#escape=|\n*.o", "// signalbox doctor --fix: belongs to one machine alone", "\ufeff!x\r\n", "\xff\x00", "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, old []byte) {
		for _, name := range []string{Syncthing, Git} {
			file := File{Name: name, Folder: "/m", old: old}
			rules := []string{".seen-*", "**/.tmp-*"}
			file.findMissing("/m", rules)
			if len(file.Missing) == 0 {
				continue
			}
			text := file.Text()
			again := File{Name: name, Folder: "/m", old: text}
			if again.findMissing("/m", rules); len(again.Missing) > 0 {
				t.Fatalf("%s %q becomes %q, which lacks %q", name, old, text, again.Missing)
			}
			theirs := text
			for line := range bytes.Lines(old) {
				i := bytes.Index(theirs, bytes.TrimRight(line, "\r\n"))
				if i < 0 {
					t.Fatalf("%s %q becomes %q, without %q", name, old, text, line)
				}
				theirs = theirs[i+len(bytes.TrimRight(line, "\r\n")):]
			}
		}
	})
}
