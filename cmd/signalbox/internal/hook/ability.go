package hook

import (
	"cmp"
	"strings"
)

// Ability is what a client accepts from outside its terminal, in words for people. A field is
// empty if the client does not accept that.
type Ability struct {
	// Client is the word that setup takes, and Title the program's own name.
	Client, Title string
	// Seen is the version of the program with which the tests check this.
	Seen string
	// Permission is how the use of a tool can be answered, Question how its questions can be,
	// and Plan how a plan can be.
	Permission, Question, Plan string
	// Dialog is what happens to the client's own dialog meanwhile, and Wakes how an idle
	// client is notified of mail.
	Dialog, Wakes string
}

// Abilities returns the abilities of the clients, in the order in which setup lists them.
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
