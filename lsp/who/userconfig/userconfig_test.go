package userconfig_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
)

// TestRead reads what was said, and says what is wrong with the rest.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       userconfig.Config
		fault      string
	}{
		{"person", `{"person": "dev"}`, userconfig.Config{Person: "dev"}, ""},
		{"all", `{"person":"dev","deliver":"full","later":[1]}`, userconfig.Config{Person: "dev", Deliver: userconfig.Full}, ""},
		{"no JSON", `person = "dev"`, userconfig.Config{}, "is no configuration: invalid character 'p' looking for beginning of value"},
		{"no alias", `{"person": "a b"}`, userconfig.Config{}, "person: "},
		{"no delivery", `{"deliver": "pigeon"}`, userconfig.Config{}, `deliver is "pigeon", and must be "announce" or "full"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "config.json")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			f := userconfig.At(dir)
			got, err := f.Read()
			if got != c.want || (err != nil) != (c.fault != "") {
				t.Errorf("%+v, %v", got, err)
			}
			if c.fault == "" {
				return
			}
			if err := f.Change(t.Context(), func(c *userconfig.Config) { c.Person = "dev" }); err == nil {
				t.Error("a file that cannot be understood was written")
			}
			if data, _ := os.ReadFile(path); string(data) != c.text {
				t.Errorf("it became %q", data)
			}
		})
	}
}

// TestChange keeps what other versions wrote, and takes nothing that it would refuse.
func TestChange(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "signalbox")
	f := userconfig.At(dir)
	if c, err := f.Read(); c != (userconfig.Config{}) || err != nil {
		t.Fatal(c, err)
	}
	if err := f.Change(t.Context(), func(c *userconfig.Config) { c.Person, c.Deliver = "dev", userconfig.Full }); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path(), []byte(`{"later": {"b": 1, "a": 2}, "person": "dev", "deliver": "full"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Change(t.Context(), func(c *userconfig.Config) { c.Deliver = "" }); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(f.Path())
	if want := "{\n  \"later\": {\n    \"b\": 1,\n    \"a\": 2\n  },\n  \"person\": \"dev\"\n}\n"; string(data) != want || err != nil {
		t.Errorf("%s, %v", data, err)
	}
	if err := f.Change(t.Context(), func(c *userconfig.Config) { c.Person = "not an alias" }); err == nil {
		t.Error("a person without an alias was written")
	}
}
