package mailbox

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// newPair makes a key pair, and gives the private half as openssl writes it.
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

// configText is config.json as existing clients write it. They take what stands
// before the first dot of the domain for the tenant.
func configText(cfg *InitConfig, name string, addr amp.Address, key amp.Key) []byte {
	type agent struct {
		Name        string `json:"name"`
		Tenant      string `json:"tenant"`
		Address     string `json:"address"`
		Fingerprint string `json:"fingerprint"`
		CreatedAt   string `json:"createdAt"`
	}
	type provider struct {
		Domain     string `json:"domain"`
		MaestroURL string `json:"maestro_url"`
	}
	type signalbox struct {
		Key string `json:"key"`
	}
	tenant, domain, _ := strings.Cut(addr.Domain, ".")
	var kept *signalbox
	if cfg.Keychain {
		kept = &signalbox{keychain}
	}
	data, err := json.MarshalIndent(struct {
		Version   string     `json:"version"`
		Agent     agent      `json:"agent"`
		Provider  provider   `json:"provider"`
		Signalbox *signalbox `json:"signalbox,omitempty"`
	}{
		"1.1",
		agent{name, tenant, addr.String(), key.Fingerprint(), amp.FormatTime(cfg.Now.UnixMilli())},
		provider{domain, "http://localhost:23000"},
		kept,
	}, "", "  ")
	if err != nil {
		return nil // there is nothing but text in it
	}
	return append(data, '\n')
}
