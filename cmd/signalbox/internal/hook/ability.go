package hook

import (
	"cmp"
	"strings"
)

// Ability is what a client takes from outside of its terminal, in words for people. What it does
// not take is empty.
type Ability struct {
	// Client is the word that setup takes, and Title the program's own name.
	Client, Title string
	// Seen is the version of the program with which the tests see this.
	Seen string
	// Permission is what can be said to the use of a tool, Question how its questions are
	// answered, and Plan what can be said to a plan.
	Permission, Question, Plan string
	// Dialog is what becomes of the client's own dialog meanwhile, and Wakes how one that is
	// idle is told of mail.
	Dialog, Wakes string
}

// Abilities returns what the clients take, in the order in which setup lists them.
func Abilities() (list []Ability) {
	for _, c := range []client{claude, codex, gemini, copilot, opencode} {
		can := askers[c].can
		can.Client = string(c)
		list = append(list, can)
	}
	return list
}

// String returns the abilities in one line.
func (a Ability) String() string {
	parts := []string{"seen with " + a.Seen}
	for _, row := range [][2]string{{"permission", a.Permission}, {"questions", a.Question}, {"plans", a.Plan}, {"its own dialog", a.Dialog}, {"woken by", a.Wakes}} {
		parts = append(parts, row[0]+": "+cmp.Or(row[1], "no"))
	}
	return strings.Join(parts, "; ")
}
