package edit

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"
)

// items returns the begin and end offsets of each item of a container, and whether a comma
// follows the last one.
func items(v *hujson.Value) (list [][2]int, comma bool) {
	var last *hujson.Value
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			last = &c.Members[i].Value
			list = append(list, [2]int{c.Members[i].Name.StartOffset, last.EndOffset})
		}
	case *hujson.Array:
		for i := range c.Elements {
			last = &c.Elements[i]
			list = append(list, [2]int{last.StartOffset, last.EndOffset})
		}
	}
	return list, last != nil && last.AfterExtra != nil
}

// style is how a text lays out JSON.
type style struct{ end, unit string }

func styleOf(text []byte) style {
	s := style{lineEnd(text), "  "}
	for line := range bytes.Lines(text) {
		if blank := leading(line); blank != "" && len(bytes.TrimSpace(line)) > 0 {
			s.unit = blank
			break
		}
	}
	return s
}

func leading(line []byte) string {
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// indent returns the blanks at the beginning of the line that contains an offset.
func indent(text []byte, offset int) string {
	return leading(text[bytes.LastIndexByte(text[:offset], '\n')+1:])
}

// layout returns the JSON of a value on several lines, or on one if unit is empty.
func (s style) layout(value any, indent string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(indent, s.unit)
	err := e.Encode(value)
	return strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), "\n", s.end), err
}

// replace returns the splice that replaces the existing value.
func (p *place) replace(text []byte, value any) Splice {
	s := styleOf(text)
	now := text[p.value.StartOffset:p.value.EndOffset]
	if !bytes.Contains(now, []byte("\n")) {
		s.unit = ""
	}
	made, err := s.layout(value, indent(text, p.value.StartOffset))
	if err != nil {
		made = string(now)
	}
	return Splice{p.value.StartOffset, string(now), made}
}

// insert returns the splices that add the value at the end of the container, with the
// missing containers around it.
func (p *place) insert(text []byte, j JSON) ([]Splice, error) {
	s := styleOf(text)
	list, comma := items(p.in)
	open, shut := p.in.StartOffset, p.in.EndOffset-1
	inside := text[open+1 : shut]
	lines := bytes.Contains(inside, []byte("\n")) || len(list) == 0
	depth := indent(text, open) + s.unit
	if len(list) > 0 && lines {
		depth = indent(text, list[0][0])
	}
	if !lines {
		s.unit, depth = "", ""
	}
	item, err := p.item(s, depth, j)
	if err != nil {
		return nil, err
	}
	before := " "
	if lines {
		before = s.end + depth
	}
	switch {
	case len(list) == 0 && bytes.Contains(inside, []byte("\n")):
		return []Splice{{open + 1, "", before + item}}, nil
	case len(list) == 0:
		return []Splice{{open + 1, "", before + item + s.end + indent(text, open)}}, nil
	case comma:
		at := shut - (len(inside) - len(bytes.TrimRight(inside, " \t\r\n")))
		return []Splice{{at, "", before + item + ","}}, nil
	}
	last := list[len(list)-1][1]
	behind := len(bytes.TrimRight(text[last:shut], " \t\r\n"))
	if behind == 0 {
		return []Splice{{last, "", "," + before + item}}, nil
	}
	// A comment after the last item stays after it.
	return []Splice{{last, "", ","}, {last + behind, "", before + item}}, nil
}

// item returns the text to insert: the value within the missing part of the path.
func (p *place) item(s style, depth string, j JSON) (string, error) {
	value := j.Value
	if j.List != "" {
		element := map[string]any{j.List: []any{value}}
		if j.Matcher != "" {
			element["matcher"] = j.Matcher
		}
		value = element
	}
	if j.Item != nil && len(p.missing) > 0 {
		value = []any{value}
	}
	for i := len(p.missing) - 1; i > 0; i-- {
		value = map[string]any{p.missing[i]: value}
	}
	text, err := s.layout(value, depth)
	if err != nil || len(p.missing) == 0 {
		return text, err
	}
	name, err := s.layout(p.missing[0], "")
	return name + ": " + text, err
}

// cut returns the splices that remove the existing value with its comma.
func (p *place) cut(text []byte) []Splice {
	list, comma := items(p.in)
	first, end := list[p.index][0], list[p.index][1]
	begin := len(bytes.TrimRight(text[:first], " \t\r\n"))
	last := p.index == len(list)-1
	switch {
	case !last || comma:
		// The comma after it is removed too.
		end += commaIn(text[end:]) + 1
	case p.index > 0:
		before := list[p.index-1][1]
		at := before + commaIn(text[before:first])
		if at+1 >= begin {
			begin = at
			break
		}
		return []Splice{{at, ",", ""}, {begin, string(text[begin:end]), ""}}
	}
	if len(list) == 1 {
		// If only blanks are left between the brackets, they are removed.
		shut := p.in.EndOffset - 1
		if rest := text[end:shut]; len(bytes.TrimSpace(rest)) == 0 && begin == p.in.StartOffset+1 {
			end = shut
		}
	}
	return []Splice{{begin, string(text[begin:end]), ""}}
}

// commaIn returns the offset of the comma between two items: the first one outside comments.
func commaIn(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == ',':
			return i
		case bytes.HasPrefix(text[i:], []byte("//")):
			i += bytes.IndexByte(text[i:], '\n')
		case bytes.HasPrefix(text[i:], []byte("/*")):
			i += bytes.Index(text[i:], []byte("*/")) + 1
		}
	}
	return 0
}
