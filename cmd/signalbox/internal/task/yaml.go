package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
	"go.yaml.in/yaml/v3"
)

// yamlToJSON converts a YAML document with one mapping to JSON. Members keep their
// order, and duplicates stay, so that the format's own rules report them. Anchors and
// aliases are refused, because a few of them can expand to gigabytes.
func yamlToJSON(data []byte) ([]byte, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, errors.New("the document is empty")
	} else if err != nil {
		return nil, err
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one document")
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("the document is no mapping")
	}
	return appendYAML(nil, doc.Content[0], 1)
}

func appendYAML(dst []byte, n *yaml.Node, depth int) ([]byte, error) {
	bad := func(reason string) error { return fmt.Errorf("line %d: %s", n.Line, reason) }
	if depth > canon.MaxDepth {
		return nil, bad("nested too deep")
	}
	if n.Anchor != "" || n.Kind == yaml.AliasNode {
		return nil, bad("anchors and aliases are not read: write the value out")
	}
	var err error
	switch n.Kind {
	case yaml.MappingNode:
		dst = append(dst, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode || key.Anchor != "" || key.ShortTag() == "!!merge" {
				return nil, bad("a name must be a plain text")
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendJSON(dst, key.Value), ':')
			if dst, err = appendYAML(dst, n.Content[i+1], depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, e := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendYAML(dst, e, depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case yaml.ScalarNode:
		return appendScalar(dst, n)
	}
	return nil, bad("this is no value")
}

func appendScalar(dst []byte, n *yaml.Node) ([]byte, error) {
	bad := func() ([]byte, error) {
		return nil, fmt.Errorf("line %d: %q is no %s that JSON has", n.Line, n.Value, n.ShortTag())
	}
	switch n.ShortTag() {
	case "!!null":
		return append(dst, "null"...), nil
	case "!!bool":
		var v bool
		if n.Decode(&v) != nil {
			return bad()
		}
		return strconv.AppendBool(dst, v), nil
	case "!!int":
		var v int64
		if n.Decode(&v) != nil {
			return bad()
		}
		return strconv.AppendInt(dst, v, 10), nil
	case "!!float":
		var v float64
		if n.Decode(&v) != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return bad()
		}
		return append(dst, mustJSON(v)...), nil
	case "!!str", "!!timestamp":
		// A time is a string in this format, and stays as it was written.
		return appendJSON(dst, n.Value), nil
	}
	return bad()
}

// appendJSON appends a string as JSON. Invalid UTF-8 would become U+FFFD, but the YAML
// reader refuses it.
func appendJSON(dst []byte, s string) []byte { return append(dst, mustJSON(s)...) }

// mustJSON returns the JSON of a value of strings, numbers, bools, lists and maps,
// which cannot fail.
func mustJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
