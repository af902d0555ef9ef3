package server

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOffset(t *testing.T) {
	const text = "aé😀b\r\nsecond\rthird\n\nlast"
	tests := []struct {
		name      string
		enc       encoding
		line, chr uint32
		want      string // what is before the offset
	}{
		{"start", utf16Encoding, 0, 0, ""},
		{"ASCII", utf16Encoding, 0, 1, "a"},
		{"before surrogates", utf16Encoding, 0, 2, "aé"},
		{"within surrogates", utf16Encoding, 0, 3, "aé"},
		{"after surrogates", utf16Encoding, 0, 4, "aé😀"},
		{"line end", utf16Encoding, 0, 5, "aé😀b"},
		{"past the line end", utf16Encoding, 0, 99, "aé😀b"},
		{"far past", utf16Encoding, 0, 1<<32 - 1, "aé😀b"},
		{"UTF-32", utf32Encoding, 0, 3, "aé😀"},
		{"UTF-8", utf8Encoding, 0, 7, "aé😀"},
		{"within UTF-8", utf8Encoding, 0, 5, "aé"},
		{"past in UTF-8", utf8Encoding, 0, 1<<32 - 1, "aé😀b"},
		{"after CRLF", utf16Encoding, 1, 0, "aé😀b\r\n"},
		{"after a lone CR", utf16Encoding, 2, 2, "aé😀b\r\nsecond\rth"},
		{"empty line", utf16Encoding, 3, 5, "aé😀b\r\nsecond\rthird\n"},
		{"last line", utf16Encoding, 4, 4, text},
		{"past the last line", utf16Encoding, 5, 3, text},
		{"far past the last line", utf16Encoding, 1<<32 - 1, 1<<32 - 1, text},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := &document{text: text}
			if got := text[:doc.offset(position{tt.line, tt.chr}, tt.enc)]; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestColumns: columnOf and columnOffset are each other's inverse.
func TestColumns(t *testing.T) {
	const line = "aé😀\u0301z"
	for _, enc := range []encoding{utf8Encoding, utf16Encoding, utf32Encoding} {
		for at := range line {
			if got := columnOffset(line, columnOf(line, at, enc), enc); got != at {
				t.Errorf("%s: offset %d came back as %d", enc, at, got)
			}
		}
	}
}

func TestChange(t *testing.T) {
	at := func(l1, c1, l2, c2 uint32) *span { return &span{position{l1, c1}, position{l2, c2}} }
	tests := []struct {
		name    string
		text    string
		changes []contentChange
		want    string
		fails   bool
	}{
		{"insert", "ab", []contentChange{{at(0, 1, 0, 1), "x"}}, "axb", false},
		{"delete a line end", "a\r\nb", []contentChange{{at(0, 1, 1, 0), ""}}, "ab", false},
		{"replace a surrogate pair", "a😀b", []contentChange{{at(0, 1, 0, 3), "é"}}, "aéb", false},
		{"append past the end", "a", []contentChange{{at(9, 9, 9, 9), "\nb"}}, "a\nb", false},
		{"each sees the one before", "ab", []contentChange{{at(0, 0, 0, 1), "xyz"}, {at(0, 3, 0, 4), "!"}}, "xyz!", false},
		{"everything, then a part", "ab", []contentChange{{nil, "new"}, {at(0, 3, 0, 3), "er"}}, "newer", false},
		{"backwards", "ab", []contentChange{{at(0, 1, 0, 0), "x"}}, "lost", true},
		{"backwards, then everything", "ab", []contentChange{{at(0, 1, 0, 0), "x"}, {nil, "new"}}, "new", true},
		{"too large", "ab", []contentChange{{at(0, 1, 0, 1), strings.Repeat("x", maxOpenBytes)}}, "lost", true},
		{"none", "ab", nil, "ab", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDocuments()
			if err := d.put("u", &document{version: 1, text: tt.text}); err != nil {
				t.Fatal(err)
			}
			if err := d.change("u", 2, tt.changes, utf16Encoding); (err != nil) != tt.fails {
				t.Errorf("change: %v", err)
			}
			got := "lost"
			if doc := d.get("u"); doc != nil {
				got = doc.text
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestChangeRefused(t *testing.T) {
	d := newDocuments()
	if err := d.change("u", 1, nil, utf16Encoding); err == nil {
		t.Error("a document that is not open was changed")
	}
	if err := d.put("u", &document{version: 5, text: "five"}); err != nil {
		t.Fatal(err)
	}
	if err := d.change("u", 4, []contentChange{{nil, "four"}}, utf16Encoding); err == nil || d.get("u").text != "five" {
		t.Errorf("an older version was taken: %v", err)
	}
}

func TestOpenBytes(t *testing.T) {
	d := newDocuments()
	if err := d.put("a", &document{text: strings.Repeat("x", maxOpenBytes-1000)}); err != nil {
		t.Fatal(err)
	}
	if err := d.put("b", &document{text: strings.Repeat("x", 2000)}); err == nil || d.get("b") != nil {
		t.Errorf("more was kept than the limit: %v", err)
	}
	if err := d.change("b", 1, []contentChange{{nil, "small"}}, utf16Encoding); err != nil || d.get("b") == nil {
		t.Errorf("a document that fits again was not kept: %v", err)
	}
	d.drop("a")
	d.drop("a")
	d.drop("b")
	if d.bytes != 0 || len(d.open) != 0 {
		t.Errorf("%d bytes are counted for nothing", d.bytes)
	}
	for i := range 1 << 20 {
		if d.put(strings.Repeat("u", 1+i%64)+string(rune(i)), &document{}) != nil {
			break
		}
	}
	if d.bytes > maxOpenBytes {
		t.Errorf("%d bytes of documents without a text", d.bytes)
	}
}

// TestPosition: an offset's position leads back to it, in every encoding, but
// for one within a line's end or a character, which is moved to its end or
// beginning.
func TestPosition(t *testing.T) {
	doc := document{text: "a\r\né𝄞\n\rlast"}
	for _, enc := range []encoding{utf8Encoding, utf16Encoding, utf32Encoding} {
		for offset := range len(doc.text) + 2 {
			want := min(offset, len(doc.text))
			switch {
			case want == 2: // between \r and \n
				want = 3
			case !utf8.RuneStart((doc.text + "x")[want]):
				continue
			}
			if got := doc.offset(doc.position(offset, enc), enc); got != want {
				t.Errorf("%s: %d leads to %+v and back to %d", enc, offset, doc.position(offset, enc), got)
			}
		}
	}
	if got := doc.position(len(doc.text), utf16Encoding); got != (position{3, 4}) {
		t.Errorf("the end is at %+v", got)
	}
}
