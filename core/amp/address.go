package amp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
)

// Address is a full address (rule ENV-3): agent@tenant.provider. There may be scopes
// between the agent and the tenant, so only a provider knows where in the domain the
// tenant begins.
type Address struct {
	// Agent is 1 to 63 letters, digits, "-" and "_". It holds no separator of
	// paths, and may still be the name of a device.
	Agent string
	// Domain is all after the "@".
	Domain string
}

// ParseAddress reads a full address. ok is false for a short one, without a
// domain of at least a tenant and a provider, and for everything else that could
// be mistaken for something in a path or in the signed text.
func ParseAddress(s string) (a Address, ok bool) {
	agent, domain, found := strings.Cut(s, "@")
	if !found || len(s) > 254 || !label(agent, "-_") || !strings.Contains(domain, ".") {
		return Address{}, false
	}
	for part := range strings.SplitSeq(domain, ".") {
		if !label(part, "-") {
			return Address{}, false
		}
	}
	return Address{Agent: agent, Domain: domain}, true
}

func (a Address) String() string { return a.Agent + "@" + a.Domain }

// Same reports whether two addresses mean one agent. Case does not count: existing
// senders write addresses in lower case, whatever they were given.
func (a Address) Same(b Address) bool {
	return strings.EqualFold(a.Agent, b.Agent) && strings.EqualFold(a.Domain, b.Domain)
}

// label reports 1 to 63 letters, digits and characters of more.
func label(s, more string) bool {
	if s == "" || len(s) > 63 {
		return false
	}
	for i := range len(s) {
		if !names.Alphanumeric(s[i]) && strings.IndexByte(more, s[i]) < 0 {
			return false
		}
	}
	return true
}

func upper(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) >= 0
}
