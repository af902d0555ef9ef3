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

// readConfig reads config.json. What it says is given also where something in it
// is wrong, which the error then says.
func readConfig(data []byte) (o owner, err error) {
	bad := members(data, func(key string, v canon.Value) {
		if key == "agent" {
			err = errors.Join(err, o.readAgent(v))
		}
	})
	return o, errors.Join(bad, err)
}

// members calls each for the members of the object that a file holds.
func members(data []byte, each func(key string, v canon.Value)) error {
	if err := canon.Valid(data); err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	err := canon.Object(data, func(key []byte, v canon.Value) error {
		each(string(key), v)
		return nil
	})
	if err != nil {
		return errors.New("it is no JSON object")
	}
	return nil
}

func (o *owner) readAgent(v canon.Value) error {
	if v.Kind != canon.Mapping {
		return errors.New("its member agent is no object")
	}
	if o.name = member(v, "name"); len(o.name) > maxName || strings.TrimSpace(o.name) == "" {
		o.name = ""
	}
	return o.readAddress(member(v, "address"))
}

func (o *owner) readAddress(s string) error {
	if s == "" {
		return nil
	}
	a, ok := amp.ParseAddress(s)
	if !ok {
		return fmt.Errorf("%s is not a full address such as agent@tenant.provider", excerpt.Quote(s))
	}
	o.address = a
	return nil
}

// readRegistration reads the address that a provider gave the agent.
func readRegistration(data []byte) (o owner, err error) {
	bad := members(data, func(key string, v canon.Value) {
		if key == "address" {
			err = o.readAddress(text(v))
		}
	})
	return o, errors.Join(bad, err)
}

// member returns the text of a member of an object, and "" for anything else. Of
// several the last one counts, as for those who write these files.
func member(v canon.Value, name string) (s string) {
	_ = members(v.Raw, func(key string, v canon.Value) {
		if key == name {
			s = text(v)
		}
	})
	return s
}

func text(v canon.Value) string {
	if v.Kind != canon.String {
		return ""
	}
	s, _ := canon.Unquote(v.Raw)
	return s
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
