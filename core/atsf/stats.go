package atsf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Tally is the counts over the messages of messages.jsonl (rule T4).
type Tally struct {
	Stats Stats
	// Last is the time of the last message that has one. It is not OK for an
	// empty thread, whose updatedAt is its createdAt (rule Z7).
	Last Time
	// Bad counts the lines that are not messages. No other count includes them.
	Bad int
}

// Add counts a message.
func (t *Tally) Add(m *Message) { t.add(m.Role, m.Time, m.ToolCalls) }

func (t *Tally) add(role string, at Time, tools int) {
	t.Stats.Messages++
	switch role {
	case RoleUser:
		t.Stats.User++
	case RoleAgent:
		t.Stats.Agent++
	}
	t.Stats.ToolCalls += int64(tools)
	if at.OK {
		t.Last = at
	}
}

// Count counts the finished lines of messages.jsonl, or of a part of it that starts at a line.
// It reads only the members that the counts need. The number of lines is not limited, and
// memory does not grow with it.
func Count(data []byte) (t Tally, next int) {
	next = Lines(data, func(_ int, raw []byte) { t.Line(raw) })
	return t, next
}

// Line counts one line, as Count does.
func (t *Tally) Line(raw []byte) {
	if !blank(raw) {
		t.count(raw)
	}
}

// counted holds the members of a line that the counts need.
type counted struct {
	role  string
	at    Time
	tools int
}

var countShape = canon.Shape[*counted]{What: "the message", Fields: []canon.Field[*counted]{
	{Name: "role", Rule: "M2", Optional: true, Set: func(c *counted, m *canon.Member) { c.role = m.Text() }},
	{Name: "timestamp", Rule: "M2", Optional: true, Set: func(c *counted, m *canon.Member) { c.at = readTime(m) }},
	{Name: "toolCalls", Rule: "M2", Optional: true, Set: func(c *counted, m *canon.Member) { c.tools = m.List(0, nil) }},
}}

func (t *Tally) count(line []byte) {
	var f canon.Findings
	var c counted
	if bad := readLine(&f, line, &countShape, &c); bad != nil {
		t.Bad++
		return
	}
	t.add(c.role, c.at, c.tools)
}

// Mismatch is a cached figure that differs from the messages (rule T4).
type Mismatch struct {
	// Field is the member of thread.json, such as "stats.messageCount".
	Field string
	// Cached is the value in thread.json, Derived the value from the messages.
	Cached, Derived string
	// Reason is a lower-case phrase.
	Reason string
}

// Compare lists where thread.json differs from the tally of its whole messages.jsonl.
func Compare(t *Thread, tally Tally) []Mismatch {
	var list []Mismatch
	want := tally.Stats
	for i, cached := range t.Stats.counts() {
		derived := want.counts()[i]
		if cached == derived {
			continue
		}
		name := "stats." + statsShape.Fields[i].Name
		reason := name + " is " + strconv.FormatInt(cached, 10) + ", and the messages say " + strconv.FormatInt(derived, 10)
		if system := want.Messages - want.User - want.Agent; i == 2 && system > 0 && cached == want.Agent+system {
			reason += ": the writer counted system messages as the agent's"
		}
		list = append(list, Mismatch{Field: name, Cached: strconv.FormatInt(cached, 10), Derived: strconv.FormatInt(derived, 10), Reason: reason})
	}
	if last, ok := derivedUpdated(t, tally); ok && (!t.Updated.OK || t.Updated.Millis != last) {
		derived := FormatTime(last)
		list = append(list, Mismatch{Field: "updatedAt", Cached: t.Updated.Text, Derived: derived, Reason: "updatedAt is " + quote(t.Updated.Text) + ", and the messages say " + derived})
	}
	return list
}

// derivedUpdated returns the updatedAt that follows from the messages. ok is false if no
// message has a time.
func derivedUpdated(t *Thread, tally Tally) (millis int64, ok bool) {
	if tally.Last.OK {
		return tally.Last.Millis, true
	}
	return t.Created.Millis, t.Created.OK && tally.Stats.Messages == 0
}

// Repair writes the figures derived from the messages into thread.json and leaves every other
// byte. It returns raw itself if nothing differs. Errors are those of [Edit].
func Repair(raw []byte, tally Tally) ([]byte, error) {
	t, err := ParseThread(raw)
	if err != nil {
		return nil, err
	}
	mismatches := Compare(&t, tally)
	var changes []Change
	whole := faulty(t.Faults, "stats")
	if whole {
		changes = append(changes, Change{Path: []string{"stats"}, Value: []byte("{}")})
	}
	for _, c := range SetStats(tally.Stats) {
		path := strings.Join(c.Path, ".")
		if whole || faulty(t.Faults, path) || slices.ContainsFunc(mismatches, func(m Mismatch) bool { return m.Field == path }) {
			changes = append(changes, c)
		}
	}
	if last, ok := derivedUpdated(&t, tally); ok && (!t.Updated.OK || t.Updated.Millis != last) {
		changes = append(changes, setText("updatedAt", FormatTime(last)))
	}
	return Edit(raw, changes...)
}

func faulty(faults []canon.Fault, field string) bool {
	return slices.ContainsFunc(faults, func(f canon.Fault) bool { return f.Field == field })
}
