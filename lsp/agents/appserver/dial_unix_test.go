//go:build unix

package appserver

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/appserver/appservertest"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// TestDialUnix: only the user's own server is spoken to, also by the link that Codex makes where
// it has no room for the socket's name.
func TestDialUnix(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, socket string) (path string, err error)
		want  string
	}{
		"own":  {func(_ *testing.T, socket string) (string, error) { return socket, nil }, ""},
		"link": {func(_ *testing.T, socket string) (string, error) { return socket + "2", os.Symlink(socket, socket+"2") }, ""},
		"used by others": {
			func(_ *testing.T, socket string) (string, error) { return socket, os.Chmod(socket, 0o666) },
			"may be used by others: its mode is 0666",
		},
		"link to one that is": {
			func(_ *testing.T, socket string) (string, error) {
				return socket + "2", errors.Join(os.Chmod(socket, 0o622), os.Symlink(socket, socket+"2"))
			},
			"may be used by others: its mode is 0622",
		},
		"second name": {func(_ *testing.T, socket string) (string, error) { return socket, os.Link(socket, socket+"2") }, "has a second name"},
		"FIFO": {
			func(t *testing.T, socket string) (string, error) {
				disktest.FIFO(t, socket+"2")
				return socket + "2", nil
			},
			"is no socket",
		},
		"device": {func(*testing.T, string) (string, error) { return os.DevNull, nil }, "is no socket"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "sb") // the names of sockets are short
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			socket := filepath.Join(dir, "s")
			listener, err := net.Listen("unix", socket)
			if err != nil {
				t.Fatal(err)
			}
			played := make(chan struct{})
			go func() {
				defer close(played)
				if conn, err := listener.Accept(); err == nil {
					(&appservertest.Server{T: t, Conn: conn}).Introduced()
					conn.Close()
				}
			}()
			path := socket
			if err := os.Chmod(socket, 0o600); err != nil {
				t.Error(err)
			} else if path, err = c.spoil(t, socket); err != nil {
				t.Error(err)
			}
			conn, err := Dial(t.Context(), path)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if conn != nil {
				conn.Close()
			}
			listener.Close()
			<-played
		})
	}
}
