package session

// Interrupt records that the person ended the agent's turn, at a time in Unix milliseconds. No
// program has a hook for this.
func (l *Log) Interrupt(at int64) {
	l.Interrupted = max(l.Interrupted, at)
	l.SetState(Idle, "")
}
