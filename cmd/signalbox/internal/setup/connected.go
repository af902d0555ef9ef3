package setup

import (
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// pluginFlag is what the hooks of a plugin are called with.
const pluginFlag = "--plugin"

// Connected reports whether setup gave a program of the user's hooks, or tools. A plugin beside
// that has nothing to do: the agent would be told of its mail under two names if setup was told
// one by --as, and would be offered every tool twice.
func Connected(env environ.Env, name, what string) bool {
	c := clientNamed(name)
	if c == nil {
		return false
	}
	m := machine{getenv: env.Getenv, home: env.Home, command: "signalbox"}.here()
	return slices.ContainsFunc(c.files(m), func(f file) bool {
		f.wants = slices.DeleteFunc(slices.Clone(f.wants), func(w want) bool {
			_, weak := w.edit.(rule)
			return weak || w.what != what
		})
		p, err := load(f, "")
		return err == nil && slices.ContainsFunc(f.wants, func(w want) bool {
			there, mine, err := w.find(p.body(), nil)
			return err == nil && (there || mine != "")
		})
	})
}
