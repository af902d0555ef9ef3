package gots

import "strings"

// Width is the longest line that prettier leaves whole.
const Width = 110

// Union declares a type that is one of these types, as prettier breaks it.
func Union(name string, types []string) string {
	head, union := "export type "+name+" =", strings.Join(types, " | ")
	switch {
	case len(head)+len(union)+2 <= Width:
		return head + " " + union + ";\n"
	case len(union)+3 <= Width:
		return head + "\n  " + union + ";\n"
	}
	return head + "\n  | " + strings.Join(types, "\n  | ") + ";\n"
}

// UnionOf returns the type that is one of these words.
func UnionOf(words []string) string { return strings.Join(quoted(words), " | ") }

func quoted(words []string) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = "'" + word + "'"
	}
	return list
}

// List returns the type of a list of elements.
func List(element string) string {
	if strings.Contains(element, " ") {
		element = "(" + element + ")"
	}
	return "readonly " + element + "[]"
}

// Doc returns a comment on one line, or on several that are at most width long. A blank
// line in the text divides paragraphs.
func Doc(indent, text string, width int) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "*/", "* /")
	if text == "" {
		return ""
	}
	paragraphs := strings.Split(text, "\n\n")
	line := indent + "/** " + strings.Join(strings.Fields(text), " ") + " */"
	if len(line) <= Width && len(paragraphs) == 1 {
		return line + "\n"
	}
	var b strings.Builder
	for i, p := range paragraphs {
		if i > 0 {
			b.WriteString(indent + " *\n")
		}
		b.WriteString(wrap(indent+" *", p, width))
	}
	return indent + "/**\n" + b.String() + indent + " */\n"
}

// wrap breaks a text into lines of a comment that begin with prefix and are at most
// width long.
func wrap(prefix, text string, width int) string {
	var b strings.Builder
	line := prefix
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width && line != prefix {
			b.WriteString(line + "\n")
			line = prefix
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
