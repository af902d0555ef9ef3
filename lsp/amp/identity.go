package amp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// maxConfig is the size in bytes of the largest config.json, registration or key that is read.
const maxConfig = 64 << 10

const maxName = 255

// owner is the owner of a mailbox according to its config.json or a registration. Other members
// are not read, since a registration holds a secret.
type owner struct {
	name    string
	address amp.Address
}

// readOwner returns the owner in config.json, or the address in a registration, which a
// provider gave the agent. With an error it returns what it could read.
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

// configText returns a config.json as existing clients write it. Its tenant is the domain up to
// the first dot, as they read it.
func configText(cfg *InitConfig, name string, addr amp.Address, key amp.Key) []byte {
	tenant, domain, _ := strings.Cut(addr.Domain, ".")
	// Names, addresses and fingerprints contain nothing that JSON escapes.
	return fmt.Appendf(nil, `{
  "version": "1.1",
  "agent": {
    "name": %q,
    "tenant": %q,
    "address": %q,
    "fingerprint": %q,
    "createdAt": %q
  },
  "provider": {
    "domain": %q,
    "maestro_url": "http://localhost:23000"
  }
}
`, name, tenant, addr, key.Fingerprint(), amp.FormatTime(cfg.Now.UnixMilli()), domain)
}
