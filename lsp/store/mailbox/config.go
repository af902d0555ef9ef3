package mailbox

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// maxConfig is the number of bytes that config.json, a registration or a key may
// have to be read.
const maxConfig = 64 << 10

// maxName is the number of bytes that an agent's name may have.
const maxName = 255

// keychain is what config.json says of a private key that is in no file.
const keychain = "keychain"

// owner is what config.json or a registration says of whom a mailbox belongs to.
// Nothing else of them is taken into a value: a registration holds a secret.
type owner struct {
	name    string
	address amp.Address
	// keychain tells that the private key is in the system's keychain.
	keychain bool
}

// readConfig reads config.json. What it says is given also where something in it
// is wrong, which the error then says.
func readConfig(data []byte) (o owner, err error) {
	if bad := canon.Valid(data); bad != nil {
		return owner{}, fmt.Errorf("it is no JSON: %w", bad)
	}
	bad := canon.Object(data, func(key []byte, v canon.Value) error {
		switch string(key) {
		case "agent":
			err = errors.Join(err, o.readAgent(v))
		case "signalbox":
			o.keychain = member(v, "key") == keychain
		}
		return nil
	})
	if bad != nil {
		return owner{}, errors.New("it is no JSON object")
	}
	return o, err
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
	if bad := canon.Valid(data); bad != nil {
		return owner{}, fmt.Errorf("it is no JSON: %w", bad)
	}
	bad := canon.Object(data, func(key []byte, v canon.Value) error {
		if string(key) == "address" {
			err = o.readAddress(text(v))
		}
		return nil
	})
	if bad != nil {
		return owner{}, errors.New("it is no JSON object")
	}
	return o, err
}

// member gives the text of a member of an object, and "" for anything else. Of
// several the last one counts, as for those who write these files.
func member(v canon.Value, name string) (s string) {
	if v.Kind != canon.Mapping {
		return ""
	}
	_ = canon.Object(v.Raw, func(key []byte, v canon.Value) error {
		if string(key) == name {
			s = text(v)
		}
		return nil
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

// clip gives the beginning of a text of at most n bytes, whole characters, in
// memory of its own.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.Clone(s)
}
