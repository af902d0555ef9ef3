package agn

// The limits of the Hallucination Lock (rules Q7, X11 and C2).
const (
	// WarnRejects is the reject_count from which a lock is approaching.
	WarnRejects = 2
	// MaxRejects is the reject_count beyond which a task is locked, over its
	// whole life.
	MaxRejects = 3
	// MaxConsecutive is the number of rejections in a row that lock a task.
	MaxConsecutive = 3
)

// LockRule names what locked a task, or is empty.
type LockRule string

// The rules that lock. The text states the first and shows the second (rule
// C2); either is enough.
const (
	LockNone        LockRule = ""
	LockCount       LockRule = "reject_count above 3"
	LockConsecutive LockRule = "three rejections in a row"
	// LockDeclared is a lock that somebody escalated, whatever was counted here.
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

// Rejects counts the rejections of m's task in a history that come before m, in
// the order of [Compare]: what a request and an escalation's snapshot have to say
// there (rules Q5 and X7). A rejection counts also where it moves nothing, as during a
// suspension: the text calls the count cumulative for the task.
//
// Of m its TaskID, Type, Time and ID are looked at. The history may be in any order and hold
// m itself, other tasks' messages, some twice, and invalid ones, which do not count.
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
