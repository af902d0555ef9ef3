package panel

// ThreadParams are the params of signalbox/thread/get. Ref names a thread, or a
// message whose thread is meant. At most one of Before, After and Side is set;
// with none of them the result is the newest page. Limit 0 means the default.
type ThreadParams struct {
	Ref    Ref    `json:"ref"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Side asks for a page beside the message that Ref names. A client can then drop the
	// cursors of pages that it no longer shows.
	Side  Side `json:"side,omitempty"`
	Limit int  `json:"limit,omitempty"`
	// Secrets asks for keys and tokens in a session as they are. Otherwise they are
	// masked, and the message has the mark "masked".
	Secrets bool `json:"secrets,omitempty"`
}

// Side is where a page is, relative to a message. Only the page around the message contains
// the message itself.
type Side string

// The sides of a message, for [ThreadParams].
const (
	SideBefore Side = "before"
	SideAfter  Side = "after"
	SideAround Side = "around"
)

// ThreadPage is the result of signalbox/thread/get: messages oldest first, and
// a cursor for each side on which there are more.
type ThreadPage struct {
	Thread   ThreadItem    `json:"thread"`
	Messages []MessageItem `json:"messages"`
	Before   string        `json:"before,omitempty"`
	After    string        `json:"after,omitempty"`
	Related  []ThreadLink  `json:"related"` // threads of other formats that name this one, or that it names
	// Requests are what the thread's session waits for, if it can be answered here, oldest
	// first.
	Requests []AgentRequest `json:"requests,omitempty"`
	Warnings []Warning      `json:"warnings"`
	Revision int64          `json:"revision"`
}

// ThreadLink leads to another thread.
type ThreadLink struct {
	Ref   Ref    `json:"ref"`
	Agent bool   `json:"agent"` // an agent's own conversation, not mail
	Title string `json:"title"`
	Count int    `json:"count"`
}
