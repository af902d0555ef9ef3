package amp

import (
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/who/environ"
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
