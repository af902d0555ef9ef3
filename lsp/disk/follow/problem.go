package follow

import "fmt"

// Problem is something that the user should know about a directory, in words.
type Problem struct {
	// Path is the file or folder that it is about, relative to the directory with "/"
	// between the names; it may be empty.
	Path string
	// Rule is an id of the conformance table, or empty.
	Rule string
	// Reason is what is wrong, and Advice what can be done. Both may quote what strangers
	// wrote.
	Reason, Advice string
}

// maxProblems is the number of problems that a snapshot lists.
const maxProblems = 500

// AtMost returns as many problems of a list as a snapshot lists, and one more that counts the
// others.
func AtMost(list []Problem) []Problem {
	if n := len(list); n > maxProblems {
		return append(list[:maxProblems], Problem{Reason: fmt.Sprintf("%d more problems", n-maxProblems)})
	}
	return list
}
