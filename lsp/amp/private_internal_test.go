//go:build !js

package amp

import (
	"crypto/ed25519"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// FuzzPrivate reads any file as a private key: the result is a key or an error that quotes
// nothing of it.
func FuzzPrivate(f *testing.F) {
	files, err := filepath.Glob("../../testdata/amp/keys/*.pem")
	if err != nil || len(files) == 0 {
		f.Fatalf("no keys: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add([]byte(strings.ReplaceAll(string(data), "PUBLIC", "PRIVATE")))
	}
	// The key of RFC 8410, section 10.3, and what it becomes when it is damaged.
	const known = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n"
	f.Add([]byte(known))
	f.Add([]byte(strings.Replace(known, "MC4CAQAwBQYDK2Vw", "MC4CAQAwBQYDK2Vx", 1)))
	f.Add([]byte(strings.Replace(known, "PRIVATE", "EC PRIVATE", 2)))
	f.Add([]byte(strings.Replace(known, "PRIVATE", "ENCRYPTED PRIVATE", 2)))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, data []byte) {
		key, err := parsePrivate(data)
		if (key == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", data, key, err)
		}
		if err != nil && len(err.Error()) > 100 {
			t.Fatalf("an error of %d bytes", len(err.Error()))
		}
	})
}

// TestKeySize makes a key of the right kind.
func TestKeySize(t *testing.T) {
	private, public, err := newPair()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := parsePrivate(private)
	if err != nil {
		t.Fatal(err)
	}
	key, ok := signer.(ed25519.PrivateKey)
	if !ok || public.Algorithm() != amp.Ed25519 || amp.NewKey([32]byte(key.Public().(ed25519.PublicKey))).Fingerprint() != public.Fingerprint() {
		t.Errorf("%T", signer)
	}
}
