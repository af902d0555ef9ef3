package documents

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOffset(t *testing.T) {
	const text = "aé😀b\r\nsecond\rthird\n\nlast"
	tests := []struct {
		name      string
		enc       Encoding
		line, chr uint32
		want      string // what is before the offset
	}{
		{"start", UTF16, 0, 0, ""},
		{"ASCII", UTF16, 0, 1, "a"},
		{"before surrogates", UTF16, 0, 2, "aé"},
		{"within surrogates", UTF16, 0, 3, "aé"},
		{"after surrogates", UTF16, 0, 4, "aé😀"},
		{"line end", UTF16, 0, 5, "aé😀b"},
		{"past the line end", UTF16, 0, 99, "aé😀b"},
		{"far past", UTF16, 0, 1<<32 - 1, "aé😀b"},
		{"UTF-32", UTF32, 0, 3, "aé😀"},
		{"UTF-8", UTF8, 0, 7, "aé😀"},
		{"within UTF-8", UTF8, 0, 5, "aé"},
		{"past in UTF-8", UTF8, 0, 1<<32 - 1, "aé😀b"},
		{"after CRLF", UTF16, 1, 0, "aé😀b\r\n"},
		{"after a lone CR", UTF16, 2, 2, "aé😀b\r\nsecond\rth"},
		{"empty line", UTF16, 3, 5, "aé😀b\r\nsecond\rthird\n"},
		{"last line", UTF16, 4, 4, text},
		{"past the last line", UTF16, 5, 3, text},
		{"far past the last line", UTF16, 1<<32 - 1, 1<<32 - 1, text},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := &Document{Text: text}
			if got := text[:doc.Offset(Position{tt.line, tt.chr}, tt.enc)]; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestColumns: ColumnOf and ColumnOffset are each other's inverse.
func TestColumns(t *testing.T) {
	const line = "aé😀\u0301z"
	for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
		for at := range line {
			if got := ColumnOffset(line, ColumnOf(line, at, enc), enc); got != at {
				t.Errorf("%s: offset %d came back as %d", enc, at, got)
			}
		}
	}
}

func TestChange(t *testing.T) {
	at := func(l1, c1, l2, c2 uint32) *Span { return &Span{Position{l1, c1}, Position{l2, c2}} }
	tests := []struct {
		name    string
		text    string
		changes []ContentChange
		want    string
		fails   bool
	}{
		{"insert", "ab", []ContentChange{{at(0, 1, 0, 1), "x"}}, "axb", false},
		{"delete a line end", "a\r\nb", []ContentChange{{at(0, 1, 1, 0), ""}}, "ab", false},
		{"replace a surrogate pair", "a😀b", []ContentChange{{at(0, 1, 0, 3), "é"}}, "aéb", false},
		{"append past the end", "a", []ContentChange{{at(9, 9, 9, 9), "\nb"}}, "a\nb", false},
		{"each sees the one before", "ab", []ContentChange{{at(0, 0, 0, 1), "xyz"}, {at(0, 3, 0, 4), "!"}}, "xyz!", false},
		{"everything, then a part", "ab", []ContentChange{{nil, "new"}, {at(0, 3, 0, 3), "er"}}, "newer", false},
		{"backwards", "ab", []ContentChange{{at(0, 1, 0, 0), "x"}}, "lost", true},
		{"backwards, then everything", "ab", []ContentChange{{at(0, 1, 0, 0), "x"}, {nil, "new"}}, "new", true},
		{"too large", "ab", []ContentChange{{at(0, 1, 0, 1), strings.Repeat("x", maxOpenBytes)}}, "lost", true},
		{"none", "ab", nil, "ab", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := New()
			if err := d.Put(&Document{URI: "u", Version: 1, Text: tt.text}); err != nil {
				t.Fatal(err)
			}
			if err := d.Change("u", 2, tt.changes, UTF16); (err != nil) != tt.fails {
				t.Errorf("change: %v", err)
			}
			got := "lost"
			if doc := d.Get("u"); doc != nil {
				got = doc.Text
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestChangeRefused(t *testing.T) {
	d := New()
	if err := d.Change("u", 1, nil, UTF16); err == nil {
		t.Error("a document that is not open was changed")
	}
	if err := d.Put(&Document{URI: "u", Version: 5, Text: "five"}); err != nil {
		t.Fatal(err)
	}
	if err := d.Change("u", 4, []ContentChange{{nil, "four"}}, UTF16); err == nil || d.Get("u").Text != "five" {
		t.Errorf("an older version was taken: %v", err)
	}
}

func TestOpenBytes(t *testing.T) {
	d := New()
	if err := d.Put(&Document{URI: "a", Text: strings.Repeat("x", maxOpenBytes-1000)}); err != nil {
		t.Fatal(err)
	}
	if err := d.Put(&Document{URI: "b", Text: strings.Repeat("x", 2000)}); err == nil || d.Get("b") != nil {
		t.Errorf("more was kept than the limit: %v", err)
	}
	if err := d.Change("b", 1, []ContentChange{{nil, "small"}}, UTF16); err != nil || d.Get("b") == nil {
		t.Errorf("a document that fits again was not kept: %v", err)
	}
	d.Drop("a")
	d.Drop("a")
	d.Drop("b")
	if d.bytes != 0 || len(d.open) != 0 {
		t.Errorf("%d bytes are counted for nothing", d.bytes)
	}
	for i := range 1 << 20 {
		if d.Put(&Document{URI: strings.Repeat("u", 1+i%64) + string(rune(i))}) != nil {
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
	doc := Document{Text: "a\r\né𝄞\n\rlast"}
	for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
		for offset := range len(doc.Text) + 2 {
			want := min(offset, len(doc.Text))
			switch {
			case want == 2: // between \r and \n
				want = 3
			case !utf8.RuneStart((doc.Text + "x")[want]):
				continue
			}
			if got := doc.Offset(doc.Position(offset, enc), enc); got != want {
				t.Errorf("%s: %d leads to %+v and back to %d", enc, offset, doc.Position(offset, enc), got)
			}
		}
	}
	if got := doc.Position(len(doc.Text), UTF16); got != (Position{3, 4}) {
		t.Errorf("the end is at %+v", got)
	}
}
