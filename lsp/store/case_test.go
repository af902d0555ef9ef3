package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/store"
)

// TestCheckWriterCase: nobody keeps a writer from writing by an empty or odd file under
// another spelling of the name, and one who writes does (rule L2).
func TestCheckWriterCase(t *testing.T) {
	record := func(from string) string {
		return `{"id":"","ts":1,"from":"` + from + `","to":"x","thread":"t","body":"hi"}` + "\n"
	}
	for name, c := range map[string]struct {
		other, own string
		refused    bool
	}{
		"empty":          {"", "-", false},
		"garbage":        {"\x00\xff{", "-", false},
		"another's":      {record("mallory"), "-", false},
		"zeros":          {strings.Repeat("\x00", 1<<20), "-", false},
		"writes":         {record("Alice"), "-", true},
		"both write":     {record("Alice"), record("alice"), false},
		"torn, and then": {"{\n" + record("Alice"), "-", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"log-Alice.jsonl": c.other, "log-alice.jsonl": c.own}
			for file, text := range files {
				if text == "-" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			d, err := store.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if err := d.CheckWriter("alice"); (err != nil) != c.refused {
				t.Error(err)
			}
		})
	}
}

// TestOtherCase finds a name that differs only in case, at the first use also by the mail
// that waits for it.
func TestOtherCase(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"a log":            {"log-dev.jsonl", "", "dev"},
		"a reader":         {".seen-dev", "{}", "dev"},
		"mail that waits":  {"log-al.jsonl", `{"id":"","ts":1,"from":"al","to":"dev","thread":"t","body":"hi"}` + "\n", "dev"},
		"mail to the name": {"log-al.jsonl", `{"id":"","ts":1,"from":"al","to":"DEV","thread":"t","body":"hi"}` + "\n", ""},
		"nobody":           {"log-al.jsonl", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := store.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if got := d.OtherCase(t.Context(), "DEV"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
