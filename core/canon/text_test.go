package canon_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestEscapesOfAllCharacters compares the escapes of every character there is
// with CPython's, by one hash for each form (rule I2).
func TestEscapesOfAllCharacters(t *testing.T) {
	data, err := os.ReadFile("../../testdata/samp/unicode.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ Raw, ASCII string }
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		write      func([]byte, string) []byte
	}{
		{"raw", want.Raw, canon.AppendString},
		{"ascii", want.ASCII, appendASCII},
	} {
		t.Run("I2/"+c.name, func(t *testing.T) {
			hash := sha256.New()
			var buf []byte
			for r := rune(0); r <= 0x10ffff; r++ {
				if 0xd800 <= r && r <= 0xdfff {
					continue
				}
				buf = c.write(buf[:0], string(r))
				hash.Write(buf)
			}
			if got := hex.EncodeToString(hash.Sum(nil)); got != c.want {
				t.Errorf("hash %s, want %s", got, c.want)
			}
		})
	}
}

// TestAppendString names the characters on which Go's own encoder differs.
func TestAppendString(t *testing.T) {
	for _, c := range []struct{ name, in, raw, ascii string }{
		{"empty", "", `""`, `""`},
		{"two-character escapes", "\"\\\n\r\t\b\f", `"\"\\\n\r\t\b\f"`, `"\"\\\n\r\t\b\f"`},
		{"other controls", "\x00\v\x0e\x1b\x1f", `"\u0000\u000b\u000e\u001b\u001f"`, `"\u0000\u000b\u000e\u001b\u001f"`},
		{"delete", "\x7f", "\"\x7f\"", `"\u007f"`},
		{"html", "<a href='/'>&", `"<a href='/'>&"`, `"<a href='/'>&"`},
		{"line separators", "\u2028\u2029", "\"\u2028\u2029\"", `"\u2028\u2029"`},
		{"c1", "\u0085\u009f", "\"\u0085\u009f\"", `"\u0085\u009f"`},
		{"beyond the first plane", "\U0001f600\U0010ffff", "\"\U0001f600\U0010ffff\"", `"\ud83d\ude00\udbff\udfff"`},
		{"last of the first plane", "\uffff", "\"\uffff\"", `"\uffff"`},
		{"replacement character", "\ufffd", "\"\ufffd\"", `"\ufffd"`},
		{"escape at the ends", "\nabc\n", `"\nabc\n"`, `"\nabc\n"`},
	} {
		t.Run("I2/"+c.name, func(t *testing.T) {
			if got := string(canon.AppendString(nil, c.in)); got != c.raw {
				t.Errorf("AppendString: %s, want %s", got, c.raw)
			}
			if got := string(appendASCII([]byte("x"), c.in)); got != "x"+c.ascii {
				t.Errorf("EscapeASCII: %s, want x%s", got, c.ascii)
			}
		})
	}
}

// TestUnquote decodes escapes, and reports an escape for half a character.
func TestUnquote(t *testing.T) {
	const bad = "\ufffd"
	for _, c := range []struct {
		name, in, want string
		lossy          bool
	}{
		{"empty", `""`, "", false},
		{"plain", `"abc"`, "abc", false},
		{"two-character escapes", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", false},
		{"units", `"\u0041\u00e9\u20AC\uFFFF\u0000"`, "A\u00e9\u20ac\uffff\x00", false},
		{"pair", `"\ud83d\ude00"`, "\U0001f600", false},
		{"pair in capitals", `"\uD83D\uDE00"`, "\U0001f600", false},
		{"first and last pair", `"\ud800\udc00\udbff\udfff"`, "\U00010000\U0010ffff", false},
		{"an escaped U+FFFD is no loss", `"\ufffd"`, bad, false},
		{"high alone", `"\ud800"`, bad, true},
		{"low alone", `"\udc00x"`, bad + "x", true},
		{"high before text", `"\ud800abcdef"`, bad + "abcdef", true},
		{"high before an escape", `"\ud800\n"`, bad + "\n", true},
		{"high before a unit", `"\ud800\u0041"`, bad + "A", true},
		{"high before a pair", `"\ud800\ud83d\ude00"`, bad + "\U0001f600", true},
		{"low before high", `"\udc00\ud800"`, bad + bad, true},
		{"pair after a loss stays lossy", `"\ud800 \ud83d\ude00"`, bad + " \U0001f600", true},
		{"backslash before u", `"\\ud800"`, `\ud800`, false},
		{"invalid UTF-8 is kept", "\"\xff\"", "\xff", false},
	} {
		t.Run("R2/"+c.name, func(t *testing.T) {
			if err := canon.Valid([]byte(c.in)); err != nil {
				t.Fatal(err)
			}
			if got, lossy := canon.Unquote([]byte(c.in)); got != c.want || lossy != c.lossy {
				t.Errorf("Unquote: %q, %v; want %q, %v", got, lossy, c.want, c.lossy)
			}
			own := []byte("<" + c.in + ">")
			text, lossy := canon.UnquoteInPlace(own[1 : len(own)-1])
			if string(text) != c.want || lossy != c.lossy {
				t.Errorf("UnquoteInPlace: %q, %v; want %q, %v", text, lossy, c.want, c.lossy)
			}
			if own[0] != '<' || own[len(own)-1] != '>' {
				t.Errorf("UnquoteInPlace wrote beyond its string: %q", own)
			}
		})
	}
}

// TestPlain moves every byte through every place of the eight-byte step.
func TestPlain(t *testing.T) {
	for c := range 256 {
		stops := c == '"' || c == '\\' || c < 0x20
		for at := range 20 {
			b := bytes.Repeat([]byte{0x80}, 20)
			b[at] = byte(c)
			want := len(b)
			if stops {
				want = at
			}
			if got := canon.Plain(b); got != want {
				t.Fatalf("byte %#x at %d: %d, want %d", c, at, got, want)
			}
		}
	}
	// Borrows of one byte must not hide or invent a hit in its neighbours.
	for _, s := range []string{"!!!!!!!!\"", "\x20\x21\x22", "########\\", "]]]]]]]]]]", "[[[[[[[[", "\x20\x20\x20\x20\x20\x20\x20\x1f"} {
		if got, want := canon.Plain([]byte(s)), strings.IndexAny(s+`"`, "\"\\\x1f"); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func appendASCII(dst []byte, s string) []byte {
	return append(canon.EscapeASCII(append(dst, '"'), s), '"')
}
