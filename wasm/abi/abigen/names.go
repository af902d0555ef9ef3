package main

import (
	"strings"
	"unicode"
)

// initialisms are the words that Go writes in capitals.
var initialisms = []string{"ABI", "ASCII", "CI", "HTML", "ID", "MIME", "OK", "PEM", "SHA", "TS", "URI", "URL", "UTC"}

// goName turns "validTaskId" into "ValidTaskID".
func goName(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		if upper := strings.ToUpper(word); isInitialism(upper) {
			b.WriteString(upper)
		} else if word == "ids" || word == "Ids" {
			b.WriteString("IDs")
		} else {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// goParam returns the name of an argument, which is not a keyword: "taskID".
func goParam(name string) string {
	if name == "type" {
		return "kind"
	}
	full := goName(name)
	first := words(name)[0]
	return first + full[len(first):]
}

// opConst turns "agn.validTaskId" into "AGNValidTaskID".
func opConst(name string) string {
	format, call, ok := strings.Cut(name, ".")
	if !ok {
		return goName(name)
	}
	if format == "mail" || format == "render" {
		return goName(format) + goName(call)
	}
	return strings.ToUpper(format) + goName(call)
}

// lowerCamel turns "TaskID" into "taskId".
func lowerCamel(name string) string {
	if name == "IDs" {
		return "ids"
	}
	for _, i := range initialisms {
		if name == i {
			return strings.ToLower(name)
		}
		if rest, ok := strings.CutSuffix(name, i); ok && unicode.IsLower(rune(rest[len(rest)-1])) {
			name = rest + i[:1] + strings.ToLower(i[1:])
		}
	}
	return strings.ToLower(name[:1]) + name[1:]
}

func isInitialism(word string) bool {
	for _, i := range initialisms {
		if i == word {
			return true
		}
	}
	return false
}

// words splits a name before its capitals.
func words(name string) []string {
	var list []string
	start := 0
	for i, r := range name {
		if i > start && unicode.IsUpper(r) {
			list = append(list, name[start:i])
			start = i
		}
	}
	return append(list, name[start:])
}
