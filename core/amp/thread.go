package amp

// Link is a message's id and the id of the message that it answers. InReplyTo is signed, ID
// is not.
type Link struct{ ID, InReplyTo string }

// Place is a message's place in a thread.
type Place struct {
	// Thread is the id of the thread's first message. That message may be missing, if another one
	// replies to it.
	Thread  string
	Parent  int  // the index of the message that it replies to, or -1
	Depth   int  // counts the existing messages above it
	Missing bool // set for a reply to a missing message
	Cycle   bool // set if its replies lead back to itself. It then begins the thread.
}

// Threads groups messages by the messages they reply to, and never by thread_id, which anybody in
// between can change (rule SIG-8). links must be sorted by time, oldest first: if several
// messages have the same id, replies belong to the first. Replies to the same missing message are
// one thread.
func Threads(links []Link) []Place {
	byID := make(map[string]int, len(links))
	for i, l := range links {
		if _, have := byID[l.ID]; !have && l.ID != "" {
			byID[l.ID] = i
		}
	}
	places := make([]Place, len(links))
	for i, l := range links {
		places[i].Parent = -1
		if l.InReplyTo == "" {
			continue
		}
		if at, ok := byID[l.InReplyTo]; ok {
			places[i].Parent = at
		} else {
			places[i].Missing = true
		}
	}
	cutCycles(places)
	placed := make([]bool, len(links))
	var stack []int
	for i := range links {
		// Go up to a placed message or the first one, then down again.
		for at := i; at >= 0 && !placed[at]; at = places[at].Parent {
			stack, placed[at] = append(stack, at), true
		}
		for ; len(stack) > 0; stack = stack[:len(stack)-1] {
			m := stack[len(stack)-1]
			places[m].setThread(links[m], places)
		}
	}
	return places
}

// setThread sets a message's thread and depth from its parent, which has them already, or else
// from its own link.
func (p *Place) setThread(l Link, places []Place) {
	switch {
	case p.Parent >= 0:
		p.Thread, p.Depth = places[p.Parent].Thread, places[p.Parent].Depth+1
	case p.Missing:
		p.Thread = l.InReplyTo
	default:
		p.Thread = l.ID
	}
}

// cutCycles removes the parent of the first message of each cycle, so that every way up ends.
func cutCycles(places []Place) {
	seen := make([]int, len(places)) // 0, or one more than the index where the walk began
	for i := range places {
		at := i
		for at >= 0 && seen[at] == 0 {
			seen[at] = i + 1
			at = places[at].Parent
		}
		if at < 0 || seen[at] != i+1 {
			continue
		}
		first := at
		for m := places[at].Parent; m != at; m = places[m].Parent {
			first = min(first, m)
		}
		places[first].Parent, places[first].Cycle = -1, true
	}
}
