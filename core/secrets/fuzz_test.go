package secrets

import (
	"strings"
	"testing"
)

// FuzzMask holds that what is found is the same as where every word is tried at every
// place, and that masking once is enough.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{
		"", "ghp_0123456789abcdef0123456789abcdef0123", "password=\"a b\\\"c1\" next", "paſſword: hunter2", "TO\u212aEN=abcdefgh1", "-----BEGIN PRIVATE KEY-----\nMIIBszCCARygAwIBAgIJ\n",
		"https://a:b@c/", "Cookie: a=12345678b", "curl -u a:b12 x", "\x1b[1mtoken\x1b[0m=\u200ba1b2c3d4e5f6a7b8", `\u001b[1mAPI_KEY\\u200b="x1y2z3a4b5"`, "eyJhbGciOiJI.eyJzdWIiOiIx.abc",
		"{\\\"secret\\\": \\\"a1b2c3d4e5\\\"}", "<password>x1y2</password>", "ｐａｓｓｗｏｒｄ＝hunter2", "root:a1b2@tcp(x)", "\x1b]8;;x\x1b\\a\xff\xc2\xe2\x80",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fast, slow := Mask(s), mask(s, true)
		if fast != slow {
			t.Fatalf("%q is shown as %q and not as %q", s, fast, slow)
		}
		if len(s) > 3*len(fast)+3 && !strings.Contains(fast, Masked) {
			t.Fatalf("%q has lost its text: %q", s, fast)
		}
	})
}

// hostile are texts that repeat what makes the search look closer.
var hostile = []string{
	"sk-", "eyJ", "eyJ-", "password ", "password=", "password: ", "token", "token[", "a.token_", "://", "://a:", "@tcp(", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n \n",
	"-BEGIN END ", "Cookie: ", "Authorization: x ", "bearer ", " -u ", "curl -u ", " -p", "\x1b]", "\x1b[", "\\u001b", "\\", "\\\"", "password=\\\"", "private-lines: ", "npm_-", "sk-a-", "1Q~", "_mmk", "name\": \"token\", \"",
	"password='", "password=\"\\\\", "secret key ", "curl ", "\u200b", "api: string ", "x1.", "-----BEGIN PRIVATE KEY-----\nA: b\n", "api_key \n",
}

// TestHostile holds that a hostile text takes time in proportion to its length: these would
// take an hour if each of them were looked at to its end at each place.
func TestHostile(t *testing.T) {
	const size = 1 << 16
	for _, unit := range hostile {
		for _, text := range []string{strings.Repeat(unit, size/len(unit)), strings.Repeat(unit, size/len(unit)) + strings.Repeat("a", 16*size)} {
			Mask(text)
		}
	}
}

func BenchmarkMask(b *testing.B) {
	prose := strings.Repeat("The agent reads the file, changes three lines of its tests and runs them again; all of them pass now.\n", 10_000)
	code := strings.Repeat("\tif err := s.store.Append(ctx, record{Key: key, Value: value}); err != nil {\n\t\treturn fmt.Errorf(\"append %q: %w\", key, err)\n\t}\n", 8_000)
	for name, text := range map[string]string{
		"prose": prose, "code": code, "json": strings.Repeat(`{\"path\":\"/home/dev/project/file.go\",\"line\":12,\"text\":\"return nil\"},`, 14_000),
		"chinese": strings.Repeat("代理读取文件，更改测试的三行并再次运行它们。", 16_000), "base64": strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", 24_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Mask(text)
			}
		})
	}
	for _, unit := range hostile {
		b.Run("hostile/"+unit, func(b *testing.B) {
			text := strings.Repeat(unit, 1<<18/len(unit))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Mask(text)
			}
		})
	}
}

// TestMarkBegins holds that no mark is passed over by the bytes that it begins with.
func TestMarkBegins(t *testing.T) {
	for r := rune(0x80); r <= 0x10ffff; r++ {
		s := string(r) + "0"
		want := invisible(r) || r == 0x9b || r == 'ſ' || r == '\u212a' || r >= '！' && r <= '～'
		if n, _ := mark(s); n > 0 != want || want && !markStarts[s[0]] {
			t.Errorf("%U is a mark: %v", r, !want)
		}
	}
}
