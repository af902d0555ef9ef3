package client

// FileKind is what a file is. Only a reason is set for a file of no format.
type FileKind struct {
	// agn is AMP/1.0, amp is amp/0.1.
	Protocol string `abi:"null,samp|atsf|agn|amp"`
	Kind     string `abi:"null,log|watermark|message|ack|resume|task|rejections|thread|messages|config"`
	// Whether the content says so, or only the name.
	Certainty string `abi:"null,content|name"`
	// A phrase for a person.
	Reason string
}

// Mention is a place in a text that may name a message or a thread. It does only if
// such a message or thread is known.
type Mention struct {
	Kind string `abi:"message|thread"`
	// Where the token is in the text, in bytes of UTF-8.
	Offset, Length int64
	Token          string
}

// Links are the mentions in a text, in their order.
type Links struct {
	Mentions []Mention
	// Counts those beyond the limit.
	More int64
}

// Line is a text as one line.
type Line struct {
	Line string
	// Whether it was shortened and ends in "…".
	Cut bool
}

// RenderOptions limit what Markdown becomes.
type RenderOptions struct {
	// The length of the result in bytes, by default 1 MiB. HTML may exceed it by 4 KiB.
	MaxBytes int64 `json:"maxBytes,omitzero"`
	// The level of the highest heading, 1 to 6, by default 1.
	TopHeading int64 `json:"topHeading,omitzero"`
}

// Info is what a module says about itself.
type Info struct {
	ABI      InfoVersion
	MaxInput int64
	Ops      []InfoOp
}

// InfoVersion is the ABI that a module speaks.
type InfoVersion struct{ Major, Minor int64 }

// InfoOp is an op that a module has.
type InfoOp struct {
	Op   int64
	Name string
}
