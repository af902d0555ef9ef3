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

// Lock gives the rule that a number of rejections breaks: in a row first, since
// whoever reads it wants the nearest cause.
func Lock(rejects, consecutive int) LockRule {
	switch {
	case consecutive >= MaxConsecutive:
		return LockConsecutive
	case rejects > MaxRejects:
		return LockCount
	}
	return LockNone
}
