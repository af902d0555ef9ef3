package amp

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
)

func TestReadConfig(t *testing.T) {
	alice := amp.Address{Agent: "alice", Domain: "acme.aimaestro.local"}
	for name, c := range map[string]struct {
		text string
		want owner
		err  string
	}{
		"an existing client's": {`{"version":"1.1","agent":{"name":"alice","tenant":"acme","address":"alice@acme.aimaestro.local","fingerprint":"SHA256:x"},"provider":{"domain":"aimaestro.local"}}`, owner{name: "alice", address: alice}, ""},
		"no address":           {`{"agent":{"name":"alice"}}`, owner{name: "alice"}, ""},
		"a bad address":        {`{"agent":{"name":"alice","address":"../etc"}}`, owner{name: "alice"}, `"../etc" is not a full address`},
		"members that differ":  {`{"agent":{"name":7,"address":["x"]},"signalbox":true}`, owner{}, ""},
		"no agent":             {`{"version":"1.1"}`, owner{}, ""},
		"an agent in a word":   {`{"agent":"alice"}`, owner{}, "agent is no object"},
		"a blank name":         {`{"agent":{"name":" \n"}}`, owner{}, ""},
		"a long name":          {`{"agent":{"name":"` + strings.Repeat("x", maxName+1) + `"}}`, owner{}, ""},
		"two names":            {`{"agent":{"name":"a"},"agent":{"name":"b"}}`, owner{name: "b"}, ""},
		"no object":            {`[]`, owner{}, "no JSON object"},
		"half of one":          {`{"agent":{"name":"al`, owner{}, "no JSON"},
		"nothing":              {``, owner{}, "no JSON"},
		"too deep":             {strings.Repeat(`{"agent":`, 70) + `1` + strings.Repeat(`}`, 70), owner{}, "no JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readOwner([]byte(c.text), partConfig)
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("the error is %v, want %q", err, c.err)
			}
		})
	}
}

// TestReadRegistration: the secret in it is in no value and no error.
func TestReadRegistration(t *testing.T) {
	for name, c := range map[string]struct {
		text, want, err string
	}{
		"an existing client's": {`{"provider":"crabmail.ai","address":"alice@acme.crabmail.ai","apiKey":"SECRET"}`, "alice@acme.crabmail.ai", ""},
		"no address":           {`{"apiKey":"SECRET"}`, "@", ""},
		"a bad one":            {`{"address":"alice","apiKey":"SECRET"}`, "@", `"alice" is not a full address`},
		"half of one":          {`{"apiKey":"SECRET","addr`, "@", "no JSON"},
		"a list":               {`["SECRET"]`, "@", "no JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readOwner([]byte(c.text), partRegistration)
			if got.address.String() != c.want || got.name != "" {
				t.Errorf("%+v, want %q", got, c.want)
			}
			if (err == nil) != (c.err == "") || err != nil && (!strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "SECRET")) {
				t.Errorf("the error is %v, want %q", err, c.err)
			}
		})
	}
}

// FuzzConfig: anybody may have written the files that name an owner.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		`{"version":"1.1","agent":{"name":"alice","address":"alice@acme.aimaestro.local"},"signalbox":{"key":"keychain"}}`,
		`{"provider":"crabmail.ai","address":"alice@acme.crabmail.ai","apiKey":"SECRET"}`,
		`{"agent":{"name":"\u202e\n","address":"a@b.c.d","address":7}}`,
		`{"agent":[{}],"signalbox":{"key":{"key":"keychain"}}}`, `{`, ``, `null`, "{\"agent\":{\"name\":\"\xff\"}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, of := range []part{partConfig, partRegistration} {
			o, err := readOwner(data, of)
			if len(o.name) > maxName {
				t.Errorf("a name of %d bytes", len(o.name))
			}
			if o.address.Agent != "" {
				if _, ok := amp.ParseAddress(o.address.String()); !ok {
					t.Errorf("the address %q", o.address)
				}
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		}
	})
}
