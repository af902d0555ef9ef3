package agn

// The limits of the Hallucination Lock (rules Q7, X11 and C2).
const (
	// WarnRejects is the reject_count at which a lock is said to be approaching.
	WarnRejects = 2
	// MaxRejects is the number of rejections that a task may have in all; one more locks it.
	MaxRejects = 3
	// MaxConsecutive is the number of rejections in a row that lock a task.
	MaxConsecutive = 3
)

// LockRule is the rule that locked a task, or empty.
type LockRule string

// The rules that lock. The spec states LockCount and shows LockConsecutive in an example (rule
// C2); either is enough.
const (
	LockNone        LockRule = ""
	LockCount       LockRule = "reject_count above 3"
	LockConsecutive LockRule = "three rejections in a row"
	// LockDeclared is a lock that somebody escalated, whatever the counts are.
	LockDeclared LockRule = "a hallucination_lock escalation"
)

// Lock returns the rule that locks a task after so many rejections. Rejections in a row
// come first, since they are the nearer cause.
func Lock(rejects, consecutive int) LockRule {
	switch {
	case consecutive >= MaxConsecutive:
		return LockConsecutive
	case rejects > MaxRejects:
		return LockCount
	}
	return LockNone
}

// Rejects counts the rejections of m's task that come before m, in the order of [Compare]. A
// request and an escalation's snapshot must contain this count (rules Q5 and X7). A rejection
// counts even if it does not move the task, for example during a suspension: the spec calls the
// count cumulative for the task.
//
// Only TaskID, Type, Time and ID of m are used. The history may be in any order. Repeated
// messages count once; m itself, other tasks' messages and invalid ones do not count.
func Rejects(m *Message, history []Message) int {
	seen := map[string]bool{}
	for i := range history {
		h := &history[i]
		if h.rejection() && h.sound() && h.TaskID == m.TaskID && h.ID != m.ID && Compare(h, m) < 0 {
			seen[h.ID] = true
		}
	}
	return len(seen)
}
