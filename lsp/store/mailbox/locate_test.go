package mailbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/store/environ"
)

func TestLocate(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, ".agent-messaging")
	for name, c := range map[string]struct {
		flag, dir, setting string
		want               environ.Choice
	}{
		"nothing":                   {want: environ.Choice{Value: root, Origin: "default ($HOME/.agent-messaging)"}},
		"the setting":               {setting: "~/mail", want: environ.Choice{Value: filepath.Join(home, "mail"), Origin: "setting signalbox.amp.directory"}},
		"AMP_DIR before it":         {dir: filepath.Join(home, "one"), setting: "~/mail", want: environ.Choice{Value: filepath.Join(home, "one"), Origin: "AMP_DIR"}},
		"AMP_DIR is one of several": {dir: filepath.Join(root, "agents", "alice"), want: environ.Choice{Value: root, Origin: "AMP_DIR"}},
		"AMP_DIR ends in a slash":   {dir: filepath.Join(root, "agents", "alice") + string(filepath.Separator), want: environ.Choice{Value: root, Origin: "AMP_DIR"}},
		"AMP_DIR is called agents":  {dir: filepath.Join(root, "agents"), want: environ.Choice{Value: filepath.Join(root, "agents"), Origin: "AMP_DIR"}},
		"the flag before all":       {flag: "here", dir: "/x", setting: "~/mail", want: environ.Choice{Value: filepath.Join(home, "work", "here"), Origin: "--amp"}},
	} {
		t.Run(name, func(t *testing.T) {
			env := environ.Env{Home: home, Work: filepath.Join(home, "work"), Getenv: func(v string) string {
				if v == "AMP_DIR" {
					return c.dir
				}
				return ""
			}}
			if got := Locate(env, c.flag, c.setting); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// TestID: a root is the same before it is made and after, and by each of its names.
func TestID(t *testing.T) {
	b := newReadBed(t)
	before := ID(b.Root)
	b.Mkdir(".")
	way := filepath.Join(filepath.Dir(b.Root), "way")
	if err := os.Symlink(b.Root, way); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{b.Root, way, b.Root + string(filepath.Separator)} {
		if got := ID(path); got != before || len(got) != 12 {
			t.Errorf("%s is %s, and was %s", path, got, before)
		}
	}
	if ID(filepath.Dir(b.Root)) == before {
		t.Error("two directories have one ID")
	}
}
