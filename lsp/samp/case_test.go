package samp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// TestCheckWriterCase: a log under another spelling of the name prevents a writer from writing
// only if it has a record of its own writer, and not if it is empty or odd (rule L2).
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
			d, err := sampstore.Open(dir)
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

// TestOtherCase finds a name that differs only in case, even if there is only mail to it, and
// whether or not the alias is already in use.
func TestOtherCase(t *testing.T) {
	for _, used := range []bool{false, true} {
		t.Run(fmt.Sprint("used=", used), func(t *testing.T) { otherCase(t, used) })
	}
}

func otherCase(t *testing.T, used bool) {
	to := func(name string) string {
		return fmt.Sprintf(`{"id":"","ts":1,"from":"al","to":%s,"thread":"t","body":"hi"}`+"\n", name)
	}
	for name, c := range map[string]struct{ file, text, want string }{
		"mail after a space": {"log-al.jsonl", strings.Replace(to(`"dev"`), `"to":`, `"to" : `, 1), "dev"},
		"an escaped letter":  {"log-al.jsonl", to(`"d\u0065v"`), "dev"},
		"amid other mail":    {"log-al.jsonl", to(`"DEV"`) + to(`"al"`) + to(`"dev"`) + to(`"bob"`), "dev"},
		"a longer name":      {"log-al.jsonl", to(`"device"`), ""},
		"only in a text":     {"log-al.jsonl", `{"id":"","ts":1,"from":"al","to":"bob","thread":"t","body":"\"to\":\"dev\""}` + "\n", ""},
		"in somebody's log":  {"log-bob.jsonl", to(`"dev"`), ""},
		"a log":              {"log-dev.jsonl", "", "dev"},
		"a reader":           {".seen-dev", "{}", "dev"},
		"mail that waits":    {"log-al.jsonl", `{"id":"","ts":1,"from":"al","to":"dev","thread":"t","body":"hi"}` + "\n", "dev"},
		"mail to the name":   {"log-al.jsonl", `{"id":"","ts":1,"from":"al","to":"DEV","thread":"t","body":"hi"}` + "\n", ""},
		"nobody":             {"log-al.jsonl", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if used {
				if err := os.WriteFile(filepath.Join(dir, "log-DEV.jsonl"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			d, err := sampstore.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if got := d.OtherCase(t.Context(), "DEV"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			lines, err := d.Lines(t.Context(), "DEV", samp.V1, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer lines.Close()
			if got := lines.OtherCase(t.Context()); got != c.want {
				t.Errorf("with its mail: %q, want %q", got, c.want)
			}
		})
	}
}
