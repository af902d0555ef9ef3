package atsf

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Secrets lists the members of a JSON object, at any depth, that look as if they held a
// secret, which config.json must not (rule K3). It guesses by names and well-known
// forms. A reason never quotes the value.
func Secrets(data []byte) []canon.Fault {
	if bad := canon.CheckObject(data, "config.json", "X1", "K3"); bad != nil {
		return nil
	}
	var f canon.Findings
	_ = canon.Walk(data, func(steps []canon.Step, v canon.Value, _ bool) error {
		if v.Kind != canon.String {
			return nil
		}
		path, name := "", ""
		for _, step := range steps {
			if step.Key == nil {
				path = indexed(path, step.Index, "")
			} else {
				name = string(step.Key)
				path = strings.TrimPrefix(path+"."+clip(name), ".")
			}
		}
		text, _ := canon.Unquote(v.Raw)
		if secretName(name) && text != "" && !placeholder(text) || secretForm(text) {
			f.AddFault("K3", path, v.Offset, quote(path)+" looks like a secret, and config.json must hold none")
		}
		return nil
	})
	return f.Faults
}

// secretName reports whether a member's name ends in a word for a secret, in
// camelCase, snake_case or kebab-case.
func secretName(name string) bool {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i] | 0x20; 'a' <= c && c <= 'z' {
			b.WriteByte(c)
		}
	}
	word := b.String()
	for _, end := range [...]string{
		"apikey", "accesskey", "secretkey", "privatekey", "token", "secret", "password", "passwd", "passphrase",
		"credential", "credentials", "authorization", "bearer",
	} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// placeholder reports whether a text only names the place of a secret.
func placeholder(s string) bool {
	return strings.HasPrefix(s, "$") || strings.HasPrefix(s, "%") && strings.HasSuffix(s, "%") ||
		strings.HasPrefix(s, "env:") || strings.HasPrefix(s, "<") || strings.HasPrefix(s, "{{")
}

// secretForm reports whether a text has the form that a known issuer gives its keys: a
// prefix, and at least a given length without spaces.
func secretForm(s string) bool {
	for _, form := range [...]struct {
		prefix string
		least  int
	}{
		{"sk-", 20},
		{"ghp_", 30},
		{"gho_", 30},
		{"ghs_", 30},
		{"github_pat_", 30},
		{"glpat-", 20},
		{"xoxb-", 20},
		{"xoxp-", 20},
		{"AKIA", 20},
		{"AIza", 30},
		{"npm_", 30},
		{"eyJ", 60},
	} {
		if strings.HasPrefix(s, form.prefix) && len(s) >= form.least && !strings.ContainsAny(s, " /\n") {
			return true
		}
	}
	return strings.Contains(s, "-----BEGIN ") && strings.Contains(s, "PRIVATE KEY-----")
}
