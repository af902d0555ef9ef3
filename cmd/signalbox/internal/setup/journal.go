package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
)

// journal remembers how to undo setup's changes, byte for byte, as long as nobody else
// changes the file. The only text of a file in it is what setup inserted or replaced.
type journal struct {
	file    *statefile.File
	entries map[string]entry
}

// entry is the journal of one file.
type entry struct {
	// After is the digest of the file as setup left it.
	After string `json:"after"`
	// Back undoes what setup did.
	Back []edit.Splice `json:"back"`
	// Made is set if setup made the file.
	Made bool `json:"made,omitempty"`
	// Wrote is what setup wrote, by the ids of the wants. It identifies Signalbox's parts in a file
	// that others have changed since. It is nil if an earlier version wrote the entry.
	Wrote map[string]string `json:"wrote,omitempty"`
}

const (
	// maxJournal is the greatest length of the journal in bytes.
	maxJournal  = 16 << 20
	journalName = "setup.json"
)

func openJournal(stateDir string) (*journal, error) {
	j := &journal{}
	j.file = statefile.At(statefile.Config{
		Path: filepath.Join(stateDir, journalName), What: "setup:", Limit: maxJournal,
		Take: func(data []byte) error {
			j.entries = make(map[string]entry)
			if data == nil {
				return nil
			}
			if err := json.Unmarshal(data, &j.entries); err != nil {
				return fmt.Errorf("is no journal of setup: %w", err)
			}
			return nil
		},
	})
	return j, j.file.Look()
}

// set saves an entry, or deletes it if e is nil.
func (j *journal) set(ctx context.Context, path string, e *entry) error {
	return j.file.Change(ctx, func(replace func([]byte) error) error {
		if e == nil {
			delete(j.entries, path)
		} else {
			j.entries[path] = *e
		}
		data, err := json.MarshalIndent(j.entries, "", " ")
		if err != nil {
			return err
		}
		if len(data) >= maxJournal {
			return fmt.Errorf("there is no room to remember how to take the change of %q back", path)
		}
		return replace(append(data, '\n'))
	})
}

// wrote returns what setup wrote to a file, or nil if that is not known.
func (j *journal) wrote(path string) map[string]string {
	if j == nil {
		return nil
	}
	return j.entries[path].Wrote
}

// alone keeps other runs of setup from writing until release is called.
func alone(ctx context.Context, stateDir string) (release func(), err error) {
	root, err := disk.Disk{}.MakeRoot(stateDir, disk.PrivateDir)
	if err != nil {
		return nil, err
	}
	lock, err := filelock.Take(ctx, root, "setup.lock", disk.PrivateFile)
	if err != nil {
		root.Close()
		return nil, err
	}
	return func() { lock.Release(); root.Close() }, nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// original returns the file as it was before setup first changed it, if that is known.
func (j *journal) original(path string, now []byte) (text []byte, made, known bool) {
	e, ok := j.entries[path]
	if !ok || e.After != digest(now) || !fits(e.Back, now) {
		return nil, false, false
	}
	return edit.Apply(now, e.Back), e.Made, true
}

func fits(splices []edit.Splice, text []byte) bool {
	at := 0
	for _, s := range splices {
		if s.Offset < at || s.Offset+len(s.Old) > len(text) || string(text[s.Offset:s.Offset+len(s.Old)]) != s.Old {
			return false
		}
		at = s.Offset + len(s.Old)
	}
	return true
}
