package atsf

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// ForkPlan describes how a thread is continued as another one.
type ForkPlan struct {
	// ID and Title are the new thread's. An empty Title means the parent's.
	ID, Title string
	// Created is the time of the fork in Unix milliseconds.
	Created int64
	// Through is the id of the last message that the fork takes over. Empty
	// takes over all of them.
	Through string
}

// Fork returns the files of a new thread that begins with its parent's messages and
// names it in parentThreadId. Lines and unknown members are copied byte for byte. stats
// and updatedAt are computed from the copied lines, so updatedAt may be before
// createdAt (rule Z7). Version 1.0 becomes 1.1; a later minor version stays, since its
// members stay. The caller links or copies the assets that the lines name.
//
// An unfinished last line is not copied. Fork fails as [Edit] does, with L3 for an id
// that cannot be a directory's name or is the parent's, and with M2 if no message has
// the id Through.
func Fork(parent, messages []byte, p ForkPlan) (thread, log []byte, err error) {
	t, err := ParseThread(parent)
	if err != nil {
		return nil, nil, err
	}
	if !ValidID(p.ID) || p.ID == t.ID {
		return nil, nil, &canon.Fault{Rule: "L3", Field: "threadId", Reason: "the fork cannot have the id " + quote(p.ID)}
	}
	log, bad := linesThrough(messages, p.Through)
	if bad != nil {
		return nil, nil, bad
	}
	changes := []Change{setText("threadId", p.ID), setText("createdAt", FormatTime(p.Created))}
	if p.Title != "" {
		changes = append(changes, SetTitle(p.Title))
	}
	if t.Version.Minor < 1 {
		changes = append(changes, setText("specVersion", SpecVersion))
	}
	if t.ID != "" {
		changes = append(changes, setText("parentThreadId", t.ID))
	}
	thread, err = Edit(parent, changes...)
	if err != nil {
		return nil, nil, err
	}
	tally, _ := Count(log)
	thread, err = Repair(thread, tally)
	return thread, bytes.Clone(log), err
}

// linesThrough returns the lines up to the last one with the id.
func linesThrough(messages []byte, id string) ([]byte, *canon.Fault) {
	end := -1
	next := Lines(messages, func(offset int, raw []byte) {
		if id == "" {
			return
		}
		if m, bad := readMessage(raw); bad == nil && m.ID == id {
			end = offset + len(raw) + 1
		}
	})
	switch {
	case id == "":
		return messages[:next], nil
	case end < 0:
		return nil, &canon.Fault{Rule: "M2", Field: "id", Reason: "no message has the id " + quote(id)}
	}
	return messages[:end], nil
}
