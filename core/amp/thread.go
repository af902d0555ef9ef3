package amp

// Link is what a message says about its place in a conversation. ID is not signed,
// InReplyTo is.
type Link struct{ ID, InReplyTo string }

// Place is a message's place in a conversation.
type Place struct {
	// Thread is the id of the message that the conversation begins with. It may be
	// one that is not there, but is replied to.
	Thread  string
	Parent  int  // the index of the message that it replies to, or -1
	Depth   int  // counts the messages above it that are there
	Missing bool // set for a reply to a message that is not there
	Cycle   bool // set if its replies lead back to itself. It then counts as the beginning.
}

// Threads groups messages by the messages they reply to, and never by thread_id, which
// anybody on the way can change (rule SIG-8). Sort by time, oldest first: if several
// messages have the same id, replies belong to the first. Replies to the same missing
// message are one thread.
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
	cutCircles(places)
	placed := make([]bool, len(links))
	var way []int
	for i := range links {
		// Go up to a placed message or a beginning, then down again.
		for at := i; at >= 0 && !placed[at]; at = places[at].Parent {
			way, placed[at] = append(way, at), true
		}
		for ; len(way) > 0; way = way[:len(way)-1] {
			m := way[len(way)-1]
			places[m].under(links[m], places)
		}
	}
	return places
}

// under sets a message's thread and depth from its parent, which has them already, or
// its own link says.
func (p *Place) under(l Link, places []Place) {
	switch {
	case p.Parent >= 0:
		p.Thread, p.Depth = places[p.Parent].Thread, places[p.Parent].Depth+1
	case p.Missing:
		p.Thread = l.InReplyTo
	default:
		p.Thread = l.ID
	}
}

// cutCircles takes the first message of each circle out of it, so that every way
// up ends.
func cutCircles(places []Place) {
	seen := make([]int, len(places)) // 0, or one more than where the walk began
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
