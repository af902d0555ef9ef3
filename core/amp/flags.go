package amp

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The categories of suspicious text.
const (
	FlagOverride     = "instruction_override"
	FlagCommand      = "command_injection"
	FlagExfiltration = "data_exfiltration"
	FlagEscape       = "wrapper_escape"
)

// pattern matches a word in first, followed by a word in then within a distance in bytes.
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
// something. It is a hint for people, found by looking for words: it misses other
// phrasings and finds harmless text, and nothing may depend on it.
func Flags(text string) []string { return flags(text) }

func flags(texts ...string) (found []string) {
	for i, text := range texts {
		texts[i] = "\n" + collapseSpaces(strings.ToLower(text))
	}
	for i := range patterns {
		p := &patterns[i]
		known := len(found) > 0 && found[len(found)-1] == p.flag
		if !known && slices.ContainsFunc(texts, p.matches) {
			found = append(found, p.flag)
		}
	}
	return found
}

// flags returns the flags of everything in a message that a reader sees and a stranger may have
// written, whoever signed it. It ignores the tag names of a trust wrapper, since every wrapper
// has them. A wrapper that the sender signed is part of the text.
func (msg *Message) flags(step Step) []string {
	p := &msg.Payload
	text := p.Text
	if (step == NotVerified || step.stored() == NoWrapper) && len(Unwrap(text)) > 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), wrapClose)[len(wrapOpen):]
	}
	shown := []string{msg.Subject, p.Type, text}
	if len(p.Context) > 0 {
		context, err := canon.AppendSorted(nil, p.Context, nil) // without needless escapes
		if err != nil {
			context = p.Context
		}
		shown = append(shown, string(context))
	}
	for i := range p.Attachments {
		shown = append(shown, p.Attachments[i].Filename, p.Attachments[i].ContentType)
	}
	return flags(shown...)
}

func (p *pattern) matches(text string) bool {
	for _, word := range p.first {
		for rest := text; ; {
			at := strings.Index(rest, word)
			if at < 0 {
				break
			}
			rest = rest[at+len(word):]
			if p.then == nil || containsAny(rest[:min(len(rest), p.within)], p.then) {
				return true
			}
		}
	}
	return false
}

func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// collapseSpaces replaces several spaces by one, and keeps line ends.
func collapseSpaces(s string) string {
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
