package cli

import "strings"

// Near returns the name in names that the user probably meant by name, or "". It may
// differ in case, by one slip of the keys or, if it is long, by two. Names that differ
// in digits are a series, such as agent1 and agent2, and never match.
func Near(name string, names []string) string {
	slip := min(2, (len(name)+3)/6) // one from 3 characters, two from 9
	best, least := "", slip+1
	for _, other := range names {
		if other == name {
			return ""
		}
		if digits(other) != digits(name) || max(len(other)-len(name), len(name)-len(other)) >= least {
			continue
		}
		if n := slips(strings.ToLower(name), strings.ToLower(other)); n < least {
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

// slips counts the slips of the keys between two words: a byte too many, one missing,
// another byte, or two swapped.
func slips(a, b string) int {
	// table[i][j] counts the slips between the first i bytes of a and the first j of b.
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		table[i][0] = i
	}
	for j := range table[0] {
		table[0][j] = j
	}
	for i := range len(a) {
		for j := range len(b) {
			least := table[i][j]
			if a[i] != b[j] {
				least = min(least, table[i][j+1], table[i+1][j]) + 1
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				least = min(least, table[i-1][j-1]+1)
			}
			table[i+1][j+1] = least
		}
	}
	return table[len(a)][len(b)]
}
