package amp

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// openssl runs the tool of the spec's own commands. Without it the tests that compare us with
// it fail, since they have not been run.
func openssl(t *testing.T, in []byte, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "openssl", args...)
	cmd.Stdin = bytes.NewReader(in)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("openssl %s: %v: %s%s(make deps installs openssl)", strings.Join(args, " "), err, stderr.String(), out.String())
	}
	return out.Bytes()
}

// kinds are the keys that rule SIG-6 knows, and the commands that make them.
var kinds = map[string][][]string{
	"ed25519":             {{"genpkey", "-algorithm", "Ed25519"}},
	"rsa":                 {{"genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"}},
	"rsa, PKCS #1":        {{"genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"}, {"rsa", "-traditional"}},
	"ecdsa":               {{"genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"}},
	"ecdsa, SEC 1":        {{"ecparam", "-name", "prime256v1", "-genkey", "-noout"}},
	"ecdsa, its curve":    {{"ecparam", "-name", "prime256v1", "-genkey"}},
	"ed25519, made by us": nil,
}

// keyOf gives alice a key that openssl made.
func (d *writeFixture) keyOf(t *testing.T, kind string) {
	t.Helper()
	if kinds[kind] == nil {
		return
	}
	var private []byte
	for _, args := range kinds[kind] {
		private = openssl(t, private, args...)
	}
	d.put("agents/alice/keys/private.pem", string(private))
	d.put("agents/alice/keys/public.pem", string(openssl(t, private, "pkey", "-pubout")))
}

// verifies runs the spec's own commands on a message, as its receiver would.
func (d *writeFixture) verifies(t *testing.T, kind string, msg *amp.Message) {
	t.Helper()
	// The payload is stored as it is hashed.
	hash := base64.StdEncoding.EncodeToString(openssl(t, msg.Payload.Raw, "dgst", "-sha256", "-binary"))
	signed := strings.Join([]string{msg.From, msg.To, msg.Subject, msg.Priority, msg.InReplyTo, hash}, "|")
	signature, err := base64.StdEncoding.DecodeString(msg.Signature)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text, sig := filepath.Join(dir, "verify.txt"), filepath.Join(dir, "sig.bin")
	for name, data := range map[string][]byte{text: []byte(signed), sig: signature} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	public := d.file("agents/alice/keys/public.pem")
	if strings.HasPrefix(kind, "ed25519") {
		openssl(t, nil, "pkeyutl", "-verify", "-pubin", "-inkey", public, "-rawin", "-in", text, "-sigfile", sig)
	} else {
		openssl(t, nil, "dgst", "-sha256", "-verify", public, "-signature", sig, text)
	}
}

// TestOpenSSLVerifies has openssl verify what is signed here, with keys that it
// made and with our own: AMP SIG-1 SIG-2 SIG-3 SIG-4 SIG-6.
func TestOpenSSLVerifies(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			d := newWriteFixture(t)
			first := d.message(d.send("bob", Letter{To: address("alice"), Subject: "x", Text: "y"}).InboxKey)
			d.keyOf(t, kind)
			for name, l := range map[string]Letter{
				"plain":    {Text: "The build is done."},
				"unicode":  {Subject: "Grüße, 世界 | 🎉", Text: "ä\u0301 ‘x’ \U0001F600"},
				"nested":   {Text: "x", Context: []byte(`{"z":{"b":[1,{"d":true,"c":"\/"}],"a":{}},"é":1,"a":""}`)},
				"numbers":  {Text: "x", Context: []byte(`{"n":[1.0,1e-7,-0,12345678901234567890,0.10]}`)},
				"odd":      {Text: "a\u2028b\u2029c\u007fd\"\\\n\t\x01"},
				"reply":    {Reply: &first, To: address("bob"), Text: "yes"},
				"an empty": {Reply: &first, To: address("bob")},
				"files":    {Text: "x", Files: []string{d.put("../a b.txt", "a")}},
			} {
				if l.To == "" {
					l.To = address("bob")
				}
				if l.Reply == nil && l.Subject == "" {
					l.Subject = "Hello"
				}
				b, p := d.prepare("alice", l)
				data, err := b.Sign(p)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				msg, err := amp.ParseMessage(data)
				if err != nil {
					t.Fatal(err)
				}
				if l.Reply != nil && msg.InReplyTo != first.ID {
					t.Errorf("AMP SIG-3: %s: no reply", name)
				}
				d.verifies(t, kind, &msg)
			}
		})
	}
}

// TestOpenSSLSigns reads keys and verifies signatures that openssl made, and finds
// the same fingerprint as existing clients: AMP SIG-6.
func TestOpenSSLSigns(t *testing.T) {
	for kind := range kinds {
		d := newWriteFixture(t)
		d.keyOf(t, kind)
		_, p := d.prepare("alice", letter("x"))
		private, public := d.file("agents/alice/keys/private.pem"), d.file("agents/alice/keys/public.pem")
		text := filepath.Join(t.TempDir(), "msg.txt")
		if err := os.WriteFile(text, p.Letter.Signed(), 0o600); err != nil {
			t.Fatal(err)
		}
		var sig []byte
		if strings.HasPrefix(kind, "ed25519") {
			sig = openssl(t, nil, "pkeyutl", "-sign", "-inkey", private, "-rawin", "-in", text)
		} else {
			sig = openssl(t, nil, "dgst", "-sha256", "-sign", private, text)
		}
		data, err := p.Letter.Finish(sig)
		if err != nil {
			t.Fatal(err)
		}
		msg, err := amp.ParseMessage(data)
		if err != nil {
			t.Fatal(err)
		}
		key, err := amp.ParseKey([]byte(d.has("agents/alice/keys/public.pem")))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := amp.Verify(&msg, key); err != nil || v.Step != amp.AsStored {
			t.Errorf("SIG-6: %s: %v %v", kind, v.Step, err)
		}
		der := openssl(t, nil, "pkey", "-pubin", "-in", public, "-outform", "DER")
		sum := base64.StdEncoding.EncodeToString(openssl(t, der, "dgst", "-sha256", "-binary"))
		if got := key.Fingerprint(); got != "SHA256:"+sum {
			t.Errorf("%s: the fingerprint is %s, not %s", kind, got, sum)
		}

	}
}

// TestOpenSSLFiles writes keys as openssl does, to the byte.
func TestOpenSSLFiles(t *testing.T) {
	d := newWriteFixture(t)
	private := d.has("agents/alice/keys/private.pem")
	if again := openssl(t, []byte(private), "pkey"); string(again) != private {
		t.Error("openssl writes the private key otherwise")
	}
	if public := d.has("agents/alice/keys/public.pem"); string(openssl(t, []byte(private), "pkey", "-pubout")) != public {
		t.Error("openssl writes the public key otherwise")
	}
}
