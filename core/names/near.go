package names

import (
	"strings"
)

// Near returns the name in names that the user probably meant by name, or "". It may
// differ in case, by one typing slip or, if it is long, by two. Names that differ
// in digits are a series, such as agent1 and agent2, and never match.
func Near(name string, names []string) string {
	slip := min(2, (len(name)+3)/6) // one from 3 characters, two from 9
	best, least := "", slip+1
	for _, other := range names {
		if other == name {
			return ""
		}
		if digits(other) != digits(name) {
			continue
		}
		if n := slips(strings.ToLower(name), strings.ToLower(other), least); n < least {
			best, least = other, n
		}
	}
	return best
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// slips counts the typing slips between two words: an extra byte, a missing one, a
// different one, or two swapped. It stops counting at limit.
func slips(a, b string, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	// Three rows of the table of distances between the beginnings of a and of b: for
	// this character of a and for the two before it.
	row, last, older := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		older, last, row = last, row, older
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			row[j+1] = min(last[j+1], row[j]) + 1
			if a[i] == b[j] {
				row[j+1] = min(row[j+1], last[j])
			} else {
				row[j+1] = min(row[j+1], last[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least >= limit {
			return limit
		}
	}
	return min(row[len(b)], limit)
}
