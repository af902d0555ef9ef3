package atsf

import (
	"bytes"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// MaxEntries is the largest number of lines that one [ReadLog] reads. It reads no further line
// once lines, blocks and tool calls together reach this number: lines of empty blocks would
// otherwise take many times their length in memory.
const MaxEntries = 65536

// Entry is one line of messages.jsonl that is not blank.
type Entry struct {
	// Number counts lines from 1, Offset bytes from 0, both from where reading began.
	Number, Offset int
	// Message is set unless Fault is: a bad line is a marked gap, and reading goes on after it
	// (rules M1 and M5).
	Message Message
	Fault   *canon.Fault
}

// Log is a part of messages.jsonl (Message Log).
type Log struct {
	// Entries are in the order of the file, which is the order of time.
	Entries []Entry
	// Next is where reading ended: the first byte of an unfinished last line
	// (rule M5) or of a line beyond the limit, or the length of the input.
	// Reading goes on from there when the file has grown.
	Next int
	// Torn is set if there is an unfinished line at Next. A writer ends that line
	// before it appends, so that only the torn line is lost.
	Torn bool
}

// ReadLog reads the lines of data, at most limit of them and at most [MaxEntries]. A
// limit of 0 means MaxEntries. Only \n ends a line: U+2028 and a bare \r do not. An
// unfinished last line is not read even if it looks whole, since its writer may not be
// done.
//
// Lines out of the order of time (M1) and ids that were used before (M2) are noted.
func ReadLog(data []byte, limit int) Log {
	if limit <= 0 || limit > MaxEntries {
		limit = MaxEntries
	}
	var l Log
	ids := make(map[string]int)
	var last Time
	number, items := 0, 0
	for l.Next < len(data) && len(l.Entries) < limit && items < MaxEntries {
		raw, ok := cutLine(data[l.Next:])
		if !ok {
			l.Torn = true
			break
		}
		number++
		if !blank(raw) {
			e := Entry{Number: number, Offset: l.Next}
			e.Message, e.Fault = readMessage(raw)
			if e.Fault == nil {
				e.compare(ids, &last)
			}
			l.Entries = append(l.Entries, e)
			items += 1 + len(e.Message.Content) + len(e.Message.Tools)
		}
		l.Next += len(raw) + 1
	}
	return l
}

// compare notes an id that was used before and a time before the last one.
func (e *Entry) compare(ids map[string]int, last *Time) {
	m := &e.Message
	if first, twice := ids[m.ID]; twice {
		m.AddNote("M2", "id", 0, "the id "+quote(m.ID)+" was used on line "+strconv.Itoa(first)+" already")
	} else if m.ID != "" {
		ids[m.ID] = e.Number
	}
	if !m.Time.OK {
		return
	}
	if last.OK && m.Time.Millis < last.Millis {
		m.AddNote("M1", "timestamp", 0, "the message is older than the one before it")
	}
	*last = m.Time
}

// Lines calls visit for each finished line, without its \n and including blank lines.
// It returns where the unfinished last line begins, which is the length of data if
// there is none.
func Lines(data []byte, visit func(offset int, raw []byte)) (next int) {
	for next < len(data) {
		raw, ok := cutLine(data[next:])
		if !ok {
			break
		}
		visit(next, raw)
		next += len(raw) + 1
	}
	return next
}

func cutLine(data []byte) (raw []byte, ok bool) {
	i := bytes.IndexByte(data, '\n')
	if i < 0 {
		return nil, false
	}
	return data[:i:i], true
}

// blank reports whether a line holds only white space as JSON defines it.
func blank(raw []byte) bool {
	for _, c := range raw {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
