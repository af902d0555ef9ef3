package mailbox

import (
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// agentsName is the folder of a root that holds a mailbox in each of its folders.
const agentsName = "agents"

// Locate chooses the root: the flag --amp, else AMP_DIR, else the setting
// signalbox.amp.directory, else .agent-messaging in the home directory. AMP_DIR
// names one agent's folder; its root is the folder above agents where it lies in
// one, so that the other mailboxes are seen too. The root need not exist.
func Locate(env store.Env, flag, setting string) store.Choice {
	if flag != "" {
		return store.Choice{Value: env.Expand(flag), Origin: "--amp"}
	}
	if dir := env.Getenv("AMP_DIR"); dir != "" {
		return store.Choice{Value: rootOf(env.Expand(dir)), Origin: "AMP_DIR"}
	}
	if setting != "" {
		return store.Choice{Value: env.Expand(setting), Origin: "setting signalbox.amp.directory"}
	}
	return store.Choice{Value: filepath.Join(env.Home, ".agent-messaging"), Origin: "default ($HOME/.agent-messaging)"}
}

// rootOf gives the root of a mailbox.
func rootOf(box string) string {
	if above := filepath.Dir(box); filepath.Base(above) == agentsName {
		return filepath.Dir(above)
	}
	return box
}

// ID names a root in refs: 12 hexadecimal digits that depend on its path alone, so
// that two ways to one directory have one ID, before it is made and after.
func ID(path string) string { return tree.ID(path) }
