package panel

// RequestKind is what an [AgentRequest] is for.
type RequestKind string

// The kinds of an [AgentRequest].
const (
	RequestForPermission RequestKind = "permission" // to use a tool
	RequestForAnswers    RequestKind = "question"   // a form with questions
	RequestForPlan       RequestKind = "plan"       // to go on with a plan
)

// AgentRequest is what an agent's program waits for the user to decide. Its texts show characters
// that are invisible, or that look like others, as numbers.
type AgentRequest struct {
	ID    string      `json:"id"`
	Hash  string      `json:"hash"` // of the content to decide on; an answer repeats it
	Kind  RequestKind `json:"kind"`
	Tool  string      `json:"tool"`  // the program's name for it
	Input []Argument  `json:"input"` // all arguments of the tool, in order
	// Cut is set if some of its texts are missing: signalbox/needs/request returns all of them.
	Cut bool `json:"cut,omitempty"`
	// Marked is set if characters of the input are shown as numbers.
	Marked bool `json:"marked,omitempty"`
	// Long is the length in bytes of an input that is too long to be shown. The request can
	// then only be denied.
	Long int64 `json:"long,omitempty"`
	// Rules are what the program also suggests to allow from now on, in words.
	Rules     []string          `json:"rules,omitempty"`
	Questions []RequestQuestion `json:"questions,omitempty"` // of a form
	Plan      string            `json:"plan,omitempty"`      // Markdown
	PlanHTML  string            `json:"planHtml,omitempty"`  // the same as safe HTML, unless it is too long
	Modes     []string          `json:"modes,omitempty"`     // other ways to go on with a plan, such as acceptEdits
	DenyOnly  bool              `json:"denyOnly,omitempty"`  // it can be allowed only in the program's own dialog
	Since     int64             `json:"since"`
	Until     int64             `json:"until"` // when the program stops waiting for an answer from here
	// Risks are effects that are hard to undo or hard to see, worst first, as far as they were
	// recognised. A request without risks may still be dangerous.
	Risks []Risk `json:"risks,omitempty"`
}

// Argument is one argument of a tool: a text, or JSON.
type Argument struct {
	Name string `json:"name,omitempty"` // empty for an input that has no members
	Text string `json:"text"`
}

// RequestQuestion is one question of a form. Unless it is closed, the user may also answer with a
// text of their own.
type RequestQuestion struct {
	Header   string          `json:"header,omitempty"` // what it is about, in a word
	Text     string          `json:"text"`
	Options  []RequestOption `json:"options,omitempty"`
	Multiple bool            `json:"multiple,omitempty"` // several options may be chosen
	Closed   bool            `json:"closed,omitempty"`   // only the options may be answered
}

// RequestOption is a choice of a question.
type RequestOption struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"` // what it means
}

// RequestParams are the params of signalbox/needs/request. The result is the whole request. If the
// request is over, an error of kind NotFound says what became of it.
type RequestParams struct {
	ID string `json:"id" check:"given"`
}

// AnswerParams are the params of signalbox/needs/answer: what the user decided on a request that
// was shown. The first answer counts, wherever it is given. A later answer fails with kind
// NotFound, and so does an answer to a request that is over or has changed. The error's detail is
// "editor" or "terminal" if the request was answered there, and "shown" if it has changed since it
// was shown.
type AnswerParams struct {
	ID   string `json:"id" check:"given"`
	Hash string `json:"hash" check:"given"`
	// Allow is yes to a tool or a plan, and sends the answers to a form.
	Allow  bool   `json:"allow"`
	Reason string `json:"reason,omitempty" check:"long"` // for the agent, if the answer is no
	Rules  []int  `json:"rules,omitempty"`               // indexes in AgentRequest.rules
	// Answers are the answers to the questions of a form, in their order.
	Answers []RequestAnswer `json:"answers,omitempty"`
	Mode    string          `json:"mode,omitempty"`
}

// RequestAnswer is the answer to one question: the indexes of options, and a text of the user's
// own.
type RequestAnswer struct {
	Options []int  `json:"options,omitempty"`
	Text    string `json:"text,omitempty" check:"long"`
}

// Answered is the result of signalbox/needs/answer: how many things wait for the user now.
type Answered struct {
	Waiting int `json:"waiting"`
}

// RiskLevel is how much a [Risk] can destroy.
type RiskLevel string

// The levels of a [Risk].
const (
	RiskRed    RiskLevel = "red"
	RiskYellow RiskLevel = "yellow"
)

// Risk is something that an [AgentRequest] would do, from a fixed list.
type Risk struct {
	Level RiskLevel `json:"level"`
	// Kind is forcePush, deletesOutside, deletes, drops, sudo, downloads, hidden or writesOutside.
	Kind string `json:"kind"`
	Text string `json:"text"`           // a sentence: "Force push: rewrites main on origin."
	Line int    `json:"line,omitempty"` // of a command with several lines, from 1
}
