package activity

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
)

// Wait makes the calling process the one that wakes a session, until done is called or the process
// ends. ok is false if another process has that role.
func (f Folder) Wait(client, id string) (done func(), ok bool) {
	root, err := f.Disk.MakeRoot(f.Path, disk.PrivateDir)
	if err != nil {
		return nil, false
	}
	atOnce, cancel := context.WithCancel(context.Background())
	cancel()
	s := Session{Client: client, ID: id}
	lock, err := filelock.Take(atOnce, root, s.Key()+".wait", disk.PrivateFile)
	if err != nil {
		root.Close()
		return nil, false
	}
	return func() {
		lock.Release()
		root.Close()
	}, true
}
