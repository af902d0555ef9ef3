package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
)

// schemaOf returns the schema of a tool's arguments in the form that every model's API
// accepts. Some refuse all tools because of one list of types or one additionalProperties.
// Unknown arguments are refused when a tool is called.
func schemaOf[In any]() *jsonschema.Schema {
	s, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // a mistake in the type of a tool's arguments
	}
	plain(s)
	return s
}

func plain(s *jsonschema.Schema) {
	s.AdditionalProperties = nil
	if i := slices.IndexFunc(s.Types, func(t string) bool { return t != "null" }); i >= 0 {
		s.Type, s.Types = s.Types[i], nil
	}
	for _, p := range s.Properties {
		plain(p)
	}
	if s.Items != nil {
		plain(s.Items)
	}
}

// arguments decodes the arguments of a call.
func arguments[In any](s *jsonschema.Schema, raw json.RawMessage) (in In, err error) {
	given, err := taken(s, raw)
	if err != nil {
		return in, err
	}
	err = json.Unmarshal([]byte(cli.Marshal(given)), &in)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("%s is %s, which is no %s", wrong.Field, wrong.Value, kindName(wrong.Type))
	}
	return in, err
}

// taken returns the arguments of a call by name. Models and their programs send numbers,
// lists and even all arguments as strings of JSON, and null or an empty string for missing
// ones. Whatever is unambiguous is accepted.
func taken(s *jsonschema.Schema, raw json.RawMessage) (map[string]any, error) {
	given, err := object(raw)
	if err != nil {
		return nil, err
	}
	return members(s, given)
}

// members returns the members of an object, converted to the types of its schema.
func members(s *jsonschema.Schema, given map[string]any) (map[string]any, error) {
	taken := make(map[string]any, len(given))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p := s.Properties[strings.ReplaceAll(name, "-", "_")]
		if p == nil {
			return nil, fmt.Errorf("there is no argument %s: there is %s", agent.Quoted(name), strings.Join(argumentsOf(s), ", "))
		}
		v, err := argument(p, given[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if v != nil {
			taken[strings.ReplaceAll(name, "-", "_")] = v
		}
	}
	for _, name := range s.Required {
		if _, ok := taken[name]; !ok {
			return nil, fmt.Errorf("%s is missing: %s", name, s.Properties[name].Description)
		}
	}
	return taken, nil
}

// argumentsOf returns the names of a schema's members, in their order if it is known.
func argumentsOf(s *jsonschema.Schema) []string {
	if len(s.PropertyOrder) > 0 {
		return s.PropertyOrder
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

func kindName(t reflect.Type) string {
	if t.Kind() == reflect.Int {
		return "whole number"
	}
	return t.Kind().String()
}

// object returns the members of an object, which may be in a string of JSON. Empty input
// and null have no members.
func object(raw json.RawMessage) (map[string]any, error) {
	const depth = 3 // an object in a string in a string
	for range depth {
		v, ok := parsed(string(raw))
		switch v := v.(type) {
		case nil:
			if ok || len(bytes.TrimSpace(raw)) == 0 {
				return nil, nil
			}
		case map[string]any:
			return v, nil
		case string:
			raw = json.RawMessage(v)
			continue
		}
		break
	}
	return nil, errors.New("the arguments are no object of JSON")
}

// parsed decodes a JSON value, and keeps numbers as they are written.
func parsed(text string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, errors.Is(err, io.EOF)
}

// argument returns a value converted to the type of its schema, or nil if none is given.
func argument(s *jsonschema.Schema, v any) (any, error) {
	text, isText := v.(string)
	if isText && s.Type != "string" {
		if strings.TrimSpace(text) == "" {
			return nil, nil
		}
		if in, ok := parsed(text); ok {
			v = in
		}
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case json.Number:
		switch s.Type {
		case "number":
			return v, nil
		case "integer":
			// 3.0 is accepted as a whole number.
			whole, rest, _ := strings.Cut(v.String(), ".")
			if strings.Trim(rest, "0") == "" {
				return json.Number(whole), nil
			}
			return v, nil
		case "string":
			return v.String(), nil
		}
	case bool:
		switch s.Type {
		case "boolean":
			return v, nil
		case "string":
			return fmt.Sprint(v), nil
		}
	case string:
		switch {
		case s.Type == "string":
			return v, nil
		case s.Type == "boolean" && strings.EqualFold(strings.TrimSpace(v), "true"):
			return true, nil // as Python writes it
		case s.Type == "boolean" && strings.EqualFold(strings.TrimSpace(v), "false"):
			return false, nil
		}
	case map[string]any:
		if s.Type == "object" {
			return members(s, v)
		}
	case []any:
		if s.Type == "array" {
			return list(s, v)
		}
	}
	if s.Type == "array" {
		// A single value becomes a list.
		if isText {
			v = text
		}
		return list(s, []any{v})
	}
	shown, _ := json.Marshal(v) // cannot fail: it was parsed from JSON
	return nil, fmt.Errorf("%s is no %s", agent.Quoted(string(shown)), s.Type)
}

func list(s *jsonschema.Schema, parts []any) (any, error) {
	all := make([]any, 0, len(parts))
	for _, part := range parts {
		v, err := argument(s.Items, part)
		if err != nil {
			return nil, err
		}
		if v != nil {
			all = append(all, v)
		}
	}
	return all, nil
}
