package amp

import (
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestInit makes an identity as existing clients have it, for its owner alone
// whatever the umask: AMP STO-1 STO-2.
func TestInit(t *testing.T) {
	defer setUmask(setUmask(0))
	d := &writeFixture{t: t, root: filepath.Join(t.TempDir(), "a", "root"), now: time.UnixMilli(1_795_249_958_123)}
	m := d.init(InitConfig{Name: "Alice"})
	modes(t, d.root)
	d.tidy("made")
	want := []string{"agents/alice/config.json", "agents/alice/keys/private.pem", "agents/alice/keys/public.pem"}
	if diff := cmp.Diff(want, d.filesLeft()); diff != "" {
		t.Error(diff)
	}
	for _, folder := range []string{"messages/inbox", "messages/sent", "registrations"} {
		if info, err := os.Stat(d.file("agents/alice/" + folder)); err != nil || !info.IsDir() {
			t.Errorf("%s: %v", folder, err)
		}
	}
	config := object(t, d.has("agents/alice/config.json"))
	form := map[string]any{
		"version": "1.1",
		"agent": map[string]any{
			"name": "alice", "tenant": "default", "address": "alice@default.aimaestro.local",
			"fingerprint": m.Key.Fingerprint(), "createdAt": "2026-11-21T08:32:38Z",
		},
		"provider": map[string]any{"domain": "aimaestro.local", "maestro_url": "http://localhost:23000"},
	}
	if diff := cmp.Diff(form, config); diff != "" {
		t.Error(diff)
	}
	s := d.snap()
	if len(s.Mailboxes) != 1 || len(s.Problems) > 0 {
		t.Fatalf("%v %v", s.Mailboxes, s.Problems)
	}
	if diff := cmp.Diff(s.Mailboxes[0], m, cmp.Transformer("key", amp.Key.Fingerprint)); diff != "" {
		t.Error(diff)
	}
	id, err := d.box("alice").identity()
	if err != nil || id.public.Fingerprint() != m.Key.Fingerprint() {
		t.Errorf("%v", err)
	}
}

// TestInitRefused overwrites nothing, and refuses invalid names.
func TestInitRefused(t *testing.T) {
	d := newWriteFixture(t)
	before := d.seen()
	for name, c := range map[string]struct {
		cfg   InitConfig
		exist bool
	}{
		"there":                {InitConfig{Name: "alice"}, true},
		"there, other letters": {InitConfig{Name: "ALICE", Address: "other@x.y"}, true},
		"its address":          {InitConfig{Name: "carol", Address: "Bob@default.aimaestro.local"}, true},
		"empty":                {InitConfig{}, false},
		"a path":               {InitConfig{Name: "../carol"}, false},
		"the folder itself":    {InitConfig{Name: "."}, false},
		"a separator":          {InitConfig{Name: `a\b`}, false},
		"hidden":               {InitConfig{Name: ".carol"}, false},
		"an option":            {InitConfig{Name: "-carol"}, false},
		"a dot":                {InitConfig{Name: "a.b"}, false},
		"a device":             {InitConfig{Name: "con"}, false},
		"a device, capitals":   {InitConfig{Name: "Com1"}, false},
		"too long":             {InitConfig{Name: strings.Repeat("a", 64)}, false},
		"a short address":      {InitConfig{Name: "carol", Address: "carol"}, false},
		"another's address":    {InitConfig{Name: "carol", Address: "a|b@c.d"}, false},
	} {
		c.cfg.Root, c.cfg.Now = d.root, d.now
		if m, err := Init(t.Context(), c.cfg); err == nil || errors.Is(err, fs.ErrExist) != c.exist || !strings.HasPrefix(err.Error(), "mailbox: init: ") {
			t.Errorf("%s: %v %v", name, m, err)
		}
	}
	if diff := cmp.Diff(before, d.seen()); diff != "" {
		t.Error(diff)
	}
	for _, file := range []string{"config.json", "keys/public.pem", "keys/private.pem"} {
		d := newWriteFixture(t)
		d.put("agents/carol/"+file, "x")
		if _, err := Init(t.Context(), InitConfig{Root: d.root, Name: "carol", Now: d.now}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", file, err)
		}
		if d.has("agents/carol/"+file) != "x" {
			t.Errorf("%s was overwritten", file)
		}
		d.tidy(file)
	}
}

// TestInitPlaces chooses the domain that most mailboxes have, and moves into the
// folders that a client made for an agent that had no identity.
func TestInitPlaces(t *testing.T) {
	d := newWriteFixture(t)
	if err := os.MkdirAll(d.file("agents/carol/keys"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.put("agents/carol/messages/inbox/x/note.txt", "x")
	if m := d.init(InitConfig{Name: "carol", Address: "Carol@acme.example"}); m.Addresses[0].String() != "carol@acme.example" {
		t.Errorf("%v", m.Addresses)
	}
	if m := d.init(InitConfig{Name: "dave"}); m.Addresses[0].String() != "dave@"+defaultDomain {
		t.Errorf("%v", m.Addresses)
	}
	for _, name := range []string{"e1", "e2", "e3"} {
		d.init(InitConfig{Name: name, Address: name + "@acme.example"})
	}
	if m := d.init(InitConfig{Name: "frank"}); m.Addresses[0].String() != "frank@acme.example" {
		t.Errorf("%v", m.Addresses)
	}
	if config := object(t, d.has("agents/frank/config.json")); config["agent"].(map[string]any)["tenant"] != "acme" || config["provider"].(map[string]any)["domain"] != "example" {
		t.Errorf("%v", config)
	}
}

// TestInitLinks makes nothing beyond a link.
func TestInitLinks(t *testing.T) {
	first := newWriteFixture(t)
	for _, at := range []string{"agents", "agents/carol", "agents/carol/keys", "agents/carol/.signalbox", "agents/carol/messages"} {
		d := first.copy()
		outside := t.TempDir()
		if at == "agents" {
			d.root += "2"
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(d.file(at)), 0o700), os.Symlink(outside, d.file(at))); err != nil {
			t.Fatal(err)
		}
		if m, err := Init(t.Context(), InitConfig{Root: d.root, Name: "carol", Now: d.now}); err == nil {
			t.Errorf("%s: %v", at, m)
		}
		if list, err := os.ReadDir(outside); err != nil || len(list) > 0 {
			t.Errorf("%s: %v %v", at, list, err)
		}
	}
}

// recover finishes or undoes what was begun in a mailbox.
func (d *writeFixture) recover(name string) {
	d.t.Helper()
	b, err := Open(d.root, "agents/"+name)
	if err != nil {
		d.t.Fatal(err)
	}
	defer b.Close()
	if err := b.Recover(d.t.Context()); err != nil {
		d.t.Error(err)
	}
}

// TestPrivateKeys refuses keys that cannot sign, or whose signatures nobody could verify, and
// quotes nothing of them.
func TestPrivateKeys(t *testing.T) {
	first, other := newWriteFixture(t), newWriteFixture(t)
	p384 := string(openssl(t, nil, "ecparam", "-name", "secp384r1", "-genkey", "-noout"))
	short := string(openssl(t, nil, "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"))
	mine := other.has("agents/alice/keys/private.pem")
	for name, c := range map[string]struct{ private, public, want string }{
		"another's":         {mine, "", "does not fit agents/alice"},
		"none":              {"-", "", "no such file"},
		"a public one":      {other.has("agents/alice/keys/public.pem"), "", "is no private key in PEM"},
		"no PEM":            {"secret secret", "", "is no private key in PEM"},
		"half":              {mine[:60], "", "is no private key in PEM"},
		"damaged":           {string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("secret")})), "", "is malformed"},
		"encrypted":         {string(openssl(t, []byte(mine), "pkcs8", "-topk8", "-passout", "pass:secret")), "", "is encrypted"},
		"encrypted, older":  {"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nc2VjcmV0\n-----END RSA PRIVATE KEY-----\n", "", "is encrypted"},
		"P-384":             {p384, "", "another curve than P-256"},
		"RSA of 1024 bits":  {short, "", "1024 bits"},
		"for key exchange":  {string(openssl(t, nil, "genpkey", "-algorithm", "X25519")), "", "none of Ed25519, RSA and ECDSA P-256"},
		"no public key":     {"", "-", "no such file"},
		"a damaged one":     {"", "secret", "neither PEM nor DER"},
		"far too long":      {strings.Repeat("x", 2*maxConfig), "", "is no private key in PEM"},
		"private as public": {"", mine, "this is a private key"},
	} {
		d := first.copy()
		b, p := d.prepare("alice", letter("x"))
		for file, text := range map[string]string{"private": c.private, "public": c.public} {
			at := "agents/alice/keys/" + file + ".pem"
			switch text {
			case "":
			case "-":
				if err := os.Remove(d.file(at)); err != nil {
					t.Fatal(err)
				}
			default:
				d.put(at, text)
			}
		}
		_, err := b.Sign(p)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "mailbox: ") {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "c2VjcmV0") {
			t.Errorf("%s: it is quoted: %v", name, err)
		}
		if _, err := b.Send(t.Context(), p, d.now); err == nil {
			t.Errorf("%s: sent", name)
		}
	}
}
