package secrets_test

import (
	"math/rand/v2"
	"os"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/secrets"
)

// public are the rules of what is no secret, or what is one by the file that holds it.
const public = " adobe-client-id asana-client-id discord-client-id linkedin-client-id looker-client-id plaid-client-id messagebird-client-id " +
	"bitbucket-client-id kubernetes-secret-yaml facebook-access-token curl-auth-header curl-auth-user lob-pub-api-key sumologic-access-id sendbird-access-id mailgun-pub-key " +
	// These are looked for in another way, and are in TestMasked: one takes every hash of git for a key.
	"generic-api-key hashicorp-tf-password jwt private-key sourcegraph-access-token freemius-secret-key jwt-base64 vault-service-token "

// TestRules holds that no example of a kept rule is shown: ten made-up ones of each.
func TestRules(t *testing.T) {
	data, err := os.ReadFile("testdata/gitleaks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		id, expression, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || strings.Contains(public, " "+id+" ") {
			continue
		}
		t.Run(id, func(t *testing.T) {
			re := regexp.MustCompile(expression)
			tree, err := syntax.Parse(given.Replace(expression), syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, uint64(len(id))))
			for tried, made := 0, 0; made < 10 && tried < 1000; tried++ {
				var b strings.Builder
				example(&b, tree.Simplify(), random)
				text := "x = 1\n" + b.String() + "\ny"
				m := re.FindStringSubmatch(text)
				if m == nil {
					continue // a border of a word is not met
				}
				found := m[0]
				for _, group := range m[1:] {
					if group != "" {
						found = group
						break
					}
				}
				if len(digits.FindAllString(found, 2)) < 2 {
					continue // it may be a word
				}
				made++
				if got := secrets.Mask(text); strings.Contains(got, strings.Trim(found, "\"' \n\\;`")) {
					t.Errorf("%q is shown as %q", text, got)
				}
			}
		})
	}
}

var digits = regexp.MustCompile(`[0-9]`)

// given has a name and its value as people write them, where a rule takes all that may
// stand between.
var given = strings.NewReplacer(`[\w.-]{0,50}?`, ``, `(?:[ \t\w.-]{0,20})[\s'"]{0,3}`, `(?:|_key|_token|Secret)`,
	`(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`, `(?:=| = "|: | := '|: "|=> ')`,
	`MailchimpSDK.initialize|`, ``, `new-york-times,`, `new-york-times`, `hooks.slack.com`, `hooks\.slack\.com`)

// example writes a text that an expression matches.
func example(b *strings.Builder, re *syntax.Regexp, random *rand.Rand) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		var all []rune
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1] && r < 0x7f; r++ {
				if r >= '!' || r == ' ' {
					all = append(all, r)
				}
			}
		}
		if len(all) == 0 {
			all = []rune{'\n'}
		}
		b.WriteRune(all[random.IntN(len(all))])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abcdefgh0123"[random.IntN(12)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			example(b, sub, random)
		}
	case syntax.OpAlternate:
		example(b, re.Sub[random.IntN(len(re.Sub))], random)
	case syntax.OpQuest:
		if random.IntN(4) == 0 {
			example(b, re.Sub[0], random)
		}
	case syntax.OpStar, syntax.OpPlus:
		for range 6 + random.IntN(3) {
			example(b, re.Sub[0], random)
		}
	}
}
