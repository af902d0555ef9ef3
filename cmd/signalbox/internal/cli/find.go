package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
)

// MinPrefix is the smallest number of characters of an id that identify a message.
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

// ShortNames returns a function that shortens a name to its shortest prefix, of at least
// least bytes, that no other name in all begins with.
func ShortNames(all []string, least int) func(name string) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(all)))
	return func(name string) string {
		at, _ := slices.BinarySearch(sorted, name)
		need := least
		for _, i := range []int{at - 1, at, at + 1} {
			if i >= 0 && i < len(sorted) && sorted[i] != name {
				need = max(need, names.Common(sorted[i], name)+1)
			}
		}
		return name[:min(need, len(name))]
	}
}

// maxListed is how many matches the error for an ambiguous name lists.
const maxListed = 10

// Ambiguous returns the error for a name with several matches. It lists the first of
// them below the text.
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
