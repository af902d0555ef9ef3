package markdown

import (
	"strings"
	"testing"
)

// The search for the beginning of emphasis is the only loop that could read the same
// markers many times. Its steps are counted, so that the limit is the same on any machine.
func TestEmphasisIsSearchedOnce(t *testing.T) {
	for _, s := range []string{
		"*a_ ", "*a **a ", "a**b c* ", "_a", "*a", "a* ", "~~a ~b ", "**x [a*](d)", "*a _b ~c d~ e* ", "***a* b ", "a***b**c*d ", "*a_b~c", "_a*_", "*_~~*_~",
	} {
		in := strings.Repeat(s, 1<<16/len(s)) + strings.Repeat("b* ", 100)
		p := inlineParser{refs: map[string]*Node{}}
		n := &Node{Kind: Paragraph, Text: in}
		p.inlines(n, false)
		if p.searched > 2*len(in) {
			t.Errorf("%q: looked at %d markers in %d bytes", s, p.searched, len(in))
		}
	}
}

// A tree has at most as many nodes as the text has bytes, and the cells that
// complete the rows of tables.
func TestTreeIsBounded(t *testing.T) {
	for _, s := range []string{"[", "![", "]", "*a_ ", "`", "`a ``b ", "<", "&", "\\", "- ", "> ", "1. ", "|a|\n|-|\n", "a\n", "\n", "[a]: b\n", "# \n", "[a](", "a|"} {
		in := strings.Repeat(s, 1<<16/len(s))
		root, err := Parse(in)
		if err != nil {
			continue
		}
		if n := count(root); n > len(in)+MaxCells {
			t.Errorf("%q: %d nodes", s, n)
		}
	}
}

func count(n *Node) int {
	sum := 1
	for c := n.First; c != nil; c = c.Next {
		sum += count(c)
	}
	return sum
}

func TestRefusals(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want error
	}{
		"quotes in a line":      {strings.Repeat(">", MaxMarkers+1) + "a", ErrDepth},
		"as many as may be":     {strings.Repeat(">", MaxMarkers) + "a", nil},
		"items in a line":       {strings.Repeat("- ", MaxMarkers+1) + "a", ErrDepth},
		"markers in code":       {"    " + strings.Repeat(">", 100), nil},
		"a rule":                {strings.Repeat("- ", 100), nil},
		"emphasis":              {strings.Repeat("*a ", MaxDepth) + strings.Repeat("b* ", MaxDepth), ErrDepth},
		"emphasis very deep":    {strings.Repeat("*a ", 1<<15) + strings.Repeat("b* ", 1<<15), ErrDepth},
		"images":                {strings.Repeat("![", MaxDepth) + strings.Repeat("](a)", MaxDepth), ErrDepth},
		"lists line by line":    {nested(MaxDepth), ErrDepth},
		"lists that are fine":   {nested(20), nil},
		"a wide table":          {strings.Repeat("a|", MaxCells/2) + "\n" + strings.Repeat("-|", MaxCells/2) + "\nb\n", ErrTable},
		"a table at the limit":  {strings.Repeat("a|", MaxCells/2) + "\n" + strings.Repeat("-|", MaxCells/2) + "\n", nil},
		"many tables are one":   {strings.Repeat("a|b\n-|-\n\n", MaxCells), ErrTable},
		"brackets and nothing":  {strings.Repeat("[", 1<<16), nil},
		"backticks of any size": {ticks(), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse(tt.in); err != tt.want { //nolint:errorlint // these very values
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func nested(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}

func ticks() string {
	var b strings.Builder
	for i := range 300 {
		b.WriteString("e" + strings.Repeat("`", i))
	}
	return b.String()
}

// The search in the names is binary.
func TestNamesAreSorted(t *testing.T) {
	last := ""
	for entry := range strings.SplitSeq(strings.Trim(names, " "), " ") {
		name, value, _ := strings.Cut(entry, "=")
		if name <= last || len(name)+len("&;") >= longestReference {
			t.Errorf("%q stands behind %q", name, last)
		}
		if got := namedReference(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
		last = name
	}
	for _, name := range []string{"", "A", "zzz", "amp=", "=", " ", "am", "ampe"} {
		if got := namedReference(name); got != "" {
			t.Errorf("%q is %q", name, got)
		}
	}
}

// FuzzParse checks that Parse returns a valid tree.
func FuzzParse(f *testing.F) {
	f.Add("# a\n\n- b *c*\n")
	f.Add("|a|\n|-|\n> `b` [c](d)\n")
	f.Fuzz(func(t *testing.T, in string) {
		if len(in) > 1<<14 {
			return
		}
		root, err := Parse(in)
		if err == nil {
			check(t, root, MaxDepth)
		}
	})
}

// check checks that siblings are linked, and that the tree is not too deep.
func check(t *testing.T, n *Node, limit int) {
	if limit == 0 {
		t.Fatal("too deep")
	}
	var prev *Node
	for c := n.First; c != nil; c = c.Next {
		if c.Prev != prev || prev != nil && prev.Kind == Text && c.Kind == Text {
			t.Fatalf("a node of kind %d behind one it does not know", c.Kind)
		}
		check(t, c, limit-1)
		prev = c
	}
	if n.Last != prev {
		t.Fatal("the last child is another")
	}
}
