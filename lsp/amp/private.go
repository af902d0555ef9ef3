//go:build !js

package amp

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

type identity struct {
	private crypto.Signer
	public  amp.Key
}

// identity opens the mailbox's private key. The key must match the public one, with which
// others verify. No error quotes what was read.
func (b *Box) identity() (*identity, error) {
	id := &identity{}
	text, _, err := b.home.ReadRegular(privateName, maxConfig)
	if err == nil {
		id.private, err = parsePrivate(text)
	}
	if err != nil {
		return nil, fmt.Errorf("mailbox: the private key of %s: %w", b.dir, err)
	}
	data, _, err := b.home.ReadRegular(publicName, maxConfig)
	if err != nil {
		return nil, fmt.Errorf("mailbox: %s: %w", b.key(publicName), err)
	}
	if id.public, err = amp.ParseKey(data); err != nil {
		return nil, fmt.Errorf("mailbox: %s: %w", b.key(publicName), err)
	}
	derived, err := publicKey(id.private)
	if err != nil {
		return nil, fmt.Errorf("mailbox: the private key of %s: %w", b.dir, err)
	}
	if derived.Fingerprint() != id.public.Fingerprint() {
		return nil, fmt.Errorf("mailbox: the private key of %s does not fit %s: nobody could verify what it signs", b.dir, b.key(publicName))
	}
	return id, nil
}

// parsePrivate reads a private key as openssl and existing clients write it: PKCS
// #8, PKCS #1 or SEC 1 in PEM.
func parsePrivate(text []byte) (crypto.Signer, error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		var key any
		var err error
		switch block.Type {
		case "PRIVATE KEY":
			key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case "RSA PRIVATE KEY":
			key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
		case "EC PRIVATE KEY":
			key, err = x509.ParseECPrivateKey(block.Bytes)
		case "ENCRYPTED PRIVATE KEY":
			return nil, errors.New("is encrypted, and nobody can be asked for its password")
		default:
			continue // such as the parameters of a curve
		}
		if block.Headers["DEK-Info"] != "" {
			return nil, errors.New("is encrypted, and nobody can be asked for its password")
		}
		if err != nil {
			return nil, errors.New("is malformed")
		}
		signer, ok := key.(crypto.Signer)
		if !ok {
			return nil, errKind()
		}
		return signer, nil
	}
	return nil, errors.New("is no private key in PEM")
}

// errKind returns the fault of a key whose kind rule SIG-6 does not allow.
func errKind() error {
	return &canon.Fault{Rule: "SIG-6", Reason: "the key's algorithm is none of Ed25519, RSA and ECDSA P-256"}
}

// publicKey returns the public half of a key, whose kind rule SIG-6 must allow.
func publicKey(private crypto.Signer) (amp.Key, error) {
	switch k := private.(type) {
	case ed25519.PrivateKey, *rsa.PrivateKey:
	case *ecdsa.PrivateKey:
		if k.Curve != elliptic.P256() {
			return amp.Key{}, &canon.Fault{Rule: "SIG-6", Reason: "the ECDSA key is on another curve than P-256"}
		}
	default:
		return amp.Key{}, errKind()
	}
	der, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		return amp.Key{}, err
	}
	return amp.ParseKey(der)
}

func (id *identity) sign(data []byte) ([]byte, error) {
	if key, ok := id.private.(ed25519.PrivateKey); ok {
		return ed25519.Sign(key, data), nil
	}
	// RSA and ECDSA sign the digest; RSA signs by PKCS #1 v1.5.
	sum := sha256.Sum256(data)
	return id.private.Sign(rand.Reader, sum[:], crypto.SHA256)
}

func newPair() (private []byte, public amp.Key, err error) {
	pub, priv, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, amp.Key{}, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(priv)
	if err != nil {
		return nil, amp.Key{}, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), amp.NewKey([32]byte(pub)), nil
}
