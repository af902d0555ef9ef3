package session

import (
	"regexp"
	"strings"
)

// Masked stands where a key or token was.
const Masked = "•••"

// secrets finds keys and tokens by the shapes that their issuers give them, and
// assignments of a password. The first group, where it takes part, is kept.
var secrets = regexp.MustCompile(strings.Join([]string{
	`\bsk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{16,}`, // Anthropic, OpenAI and others that follow them
	`\bgh[pousr]_[A-Za-z0-9]{20,}`,                        // GitHub
	`\bgithub_pat_[A-Za-z0-9_]{20,}`,                      // GitHub
	`\bglpat-[A-Za-z0-9_-]{16,}`,                          // GitLab
	`\bxox[abeprs]-[A-Za-z0-9-]{10,}`,                     // Slack
	`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,                       // Amazon
	`\bAIza[A-Za-z0-9_-]{30,}`,                            // Google
	`\bya29\.[A-Za-z0-9_-]{20,}`,                          // Google
	`\b(?:npm|pypi|dop_v1|hf|shpat|rk_live|sk_live|pk_live|sk_test|whsec)[_-][A-Za-z0-9_-]{20,}`, // npm and others
	`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,                         // JSON Web Tokens
	`-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?`,
	`(?i:(\b(?:authorization["']?\s*[:=]\s*["']?)?(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{16,})`,
	`(?i:(\b[a-z0-9_-]*(?:api[_-]?key|secret|token|passw(?:or)?d)["']?\s*[:=]\s*["']?)[^\s"',;]{8,})`,
	`((?:https?|postgres(?:ql)?|mysql|redis|mongodb(?:\+srv)?|amqp)://[^\s:/@]+:)[^\s@/]+(@)`, // a password in an address
}, "|"))

// Mask returns a text with [Masked] in place of keys and tokens of known shapes. It
// guesses: it may hide what is none, and what has no shape stays.
func Mask(s string) string {
	return secrets.ReplaceAllStringFunc(s, func(found string) string {
		var b strings.Builder
		m := secrets.FindStringSubmatchIndex(found)
		kept := 0
		for i := 2; i+1 < len(m); i += 2 {
			if m[i] >= 0 && m[i] >= kept {
				if m[i] > kept {
					b.WriteString(Masked)
				}
				b.WriteString(found[m[i]:m[i+1]])
				kept = m[i+1]
			}
		}
		if kept < len(found) {
			b.WriteString(Masked)
		}
		return b.String()
	})
}

// Mask masks every text of a message, and reports whether there was anything to mask.
func (m *Message) Mask() (masked bool) {
	mask := func(list ...*string) {
		for _, s := range list {
			if now := Mask(*s); now != *s {
				*s, masked = now, true
			}
		}
	}
	for i := range m.Content {
		mask(&m.Content[i].Text)
	}
	for i := range m.Tools {
		c := &m.Tools[i]
		mask(&c.Title, &c.Input, &c.Output)
		if c.Diff != nil {
			mask(&c.Diff.Old, &c.Diff.New)
		}
	}
	return masked
}
