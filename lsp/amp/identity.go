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

// maxConfig is the number of bytes that config.json, a registration or a key may
// have to be read.
const maxConfig = 64 << 10

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

// configText is config.json as existing clients write it. They take what stands
// before the first dot of the domain for the tenant.
func configText(cfg *InitConfig, name string, addr amp.Address, key amp.Key) []byte {
	tenant, domain, _ := strings.Cut(addr.Domain, ".")
	// Names, addresses and fingerprints hold nothing that JSON escapes.
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
