package amp

import "strings"

// The categories of suspicious text.
const (
	FlagOverride     = "instruction_override"
	FlagCommand      = "command_injection"
	FlagExfiltration = "data_exfiltration"
	FlagEscape       = "wrapper_escape"
)

// maxScan is how much of a text is looked at, in bytes.
const maxScan = MaxText

// pattern is a word that some other word follows within a distance in bytes.
type pattern struct {
	flag        string
	first, then []string
	within      int
}

var patterns = []pattern{
	{FlagOverride, []string{"ignore", "disregard", "forget", "override"}, []string{"instruction", "previous", "prior", "earlier", "your rules", "guidelines", "system prompt"}, 48},
	{FlagOverride, []string{"you are now", "new instructions", "act as if you", "\nsystem:", "<system>", "[system]"}, nil, 0},
	{FlagCommand, []string{"curl ", "wget ", "iwr "}, []string{"| sh", "|sh", "| bash", "|bash", "| sudo", "| python", "| iex", "$("}, 240},
	{FlagCommand, []string{"rm -rf", "sudo ", "sh -c", "eval(", "base64 -d", "chmod +x", "powershell -enc"}, nil, 0},
	{FlagExfiltration, []string{"send", "post", "upload", "forward", "reveal", "paste", "curl ", "reply with", "tell me"}, []string{"password", "api key", "api_key", "apikey", "secret", "token", "credential", "private key", "id_rsa", ".env"}, 120},
	{FlagEscape, []string{"</external-content", "<external-content"}, nil, 0},
}

// Flags lists the categories of patterns in a text that try to make an agent do
// something. It is a hint for a person, made by looking for words: it misses what
// is said otherwise and finds what is harmless, and nothing may depend on it.
func Flags(text string) []string {
	if len(text) > maxScan {
		text = text[:maxScan]
	}
	text = "\n" + squeeze(strings.ToLower(text))
	var flags []string
	for i, p := range patterns {
		known := len(flags) > 0 && flags[len(flags)-1] == patterns[i].flag
		if !known && p.in(text) {
			flags = append(flags, p.flag)
		}
	}
	return flags
}

func (p *pattern) in(text string) bool {
	for _, word := range p.first {
		for rest := text; ; {
			at := strings.Index(rest, word)
			if at < 0 {
				break
			}
			rest = rest[at+len(word):]
			if p.then == nil || holds(rest[:min(len(rest), p.within)], p.then) {
				return true
			}
		}
	}
	return false
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// squeeze makes one space of several, and keeps line ends.
func squeeze(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		if r == ' ' || r == '\t' || r == '\u00a0' {
			space = true
			continue
		}
		if space && r != '\n' {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}
