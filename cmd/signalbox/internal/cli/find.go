package cli

import (
	"errors"
	"strings"
)

// MinPrefix is the least number of characters of an id that name a message.
const MinPrefix = 4

// ByID returns the items whose id is ref, or, if there are none, the items whose id
// begins with ref.
func ByID[T any](items []T, ref string, id func(T) string) (hits []T) {
	var begun []T
	for _, item := range items {
		switch name := id(item); {
		case name == ref:
			hits = append(hits, item)
		case strings.HasPrefix(name, ref):
			begun = append(begun, item)
		}
	}
	if len(hits) == 0 {
		return begun
	}
	return hits
}

// maxListed is how many matches the error for an ambiguous name lists.
const maxListed = 10

// Ambiguous returns the error for a name that means several things. The first of
// them are listed below the text.
func Ambiguous(text string, list []string) error {
	for i, entry := range list {
		if i == maxListed {
			text += "\n  …"
			break
		}
		text += "\n  " + entry
	}
	return errors.New(text)
}
