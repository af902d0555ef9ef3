package mailbox

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// maxConfig is the number of bytes that config.json, a registration or a key may
// have to be read.
const maxConfig = 64 << 10

// maxName is the number of bytes that an agent's name may have.
const maxName = 255

// owner is what config.json or a registration says of whom a mailbox belongs to.
// Nothing else of them is taken into a value: a registration holds a secret.
type owner struct {
	name    string
	address amp.Address
}

// readOwner reads config.json, or the address that a provider gave the agent from a
// registration. What it says is given also where something in it is wrong, which the error
// then says.
func readOwner(data []byte, of part) (o owner, err error) {
	if err := canon.Valid(data); err != nil {
		return o, fmt.Errorf("it is no JSON: %w", err)
	}
	var file struct {
		Address any
		Agent   struct{ Name, Address any }
	}
	if bad, ok := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(data, &file)); ok && bad.Field == "" {
		return o, errors.New("it is no JSON object")
	} else if ok && of == partConfig {
		return o, errors.New("its member agent is no object")
	}
	address, _ := file.Address.(string)
	if of == partConfig {
		address, _ = file.Agent.Address.(string)
		if o.name, _ = file.Agent.Name.(string); len(o.name) > maxName || strings.TrimSpace(o.name) == "" {
			o.name = ""
		}
	}
	if address == "" {
		return o, nil
	}
	a, ok := amp.ParseAddress(address)
	if !ok {
		return o, fmt.Errorf("%s is not a full address such as agent@tenant.provider", excerpt.Quote(address))
	}
	o.address = a
	return o, nil
}

// newPair makes a key pair, and returns the private half as openssl writes it.
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
	tenant, domain, _ := strings.Cut(addr.Domain, ".")
	data, err := json.MarshalIndent(struct {
		Version  string   `json:"version"`
		Agent    agent    `json:"agent"`
		Provider provider `json:"provider"`
	}{
		"1.1",
		agent{name, tenant, addr.String(), key.Fingerprint(), amp.FormatTime(cfg.Now.UnixMilli())},
		provider{domain, "http://localhost:23000"},
	}, "", "  ")
	if err != nil {
		return nil // there is nothing but text in it
	}
	return append(data, '\n')
}
