package host

import (
	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// Options, Module and Stats are those of wasm/engine.
type (
	Options = engine.Options
	Module  = engine.Module
	Stats   = engine.Stats
)

// Error and what follows are the types of wasm/client for SAMP and for what all
// formats share.
type (
	Error      = client.Error
	Caller     = client.Caller
	SAMP       = client.SAMP
	Profile    = client.Profile
	Record     = client.Record
	Fault      = client.Fault
	Inspection = client.Inspection
	Finding    = client.Finding
	Validation = client.Validation
	Compaction = client.Compaction
	Watermark  = client.Watermark
	Alias      = client.Alias
	Log        = client.Log
	Mode       = client.Mode
	InboxQuery = client.InboxQuery
	Message    = client.Message
	Inbox      = client.Inbox
	Scan       = client.Scan
	ReplyQuery = client.ReplyQuery
	Draft      = client.Draft

	ThreadsQuery   = client.ThreadsQuery
	MessageThread  = client.MessageThread
	MessageThreads = client.MessageThreads
)

// ATSF and what follows are the types of wasm/client for that format.
type (
	ATSF          = client.ATSF
	ThreadCheck   = client.ThreadCheck
	ThreadFinding = client.ThreadFinding
	AssetName     = client.AssetName
	Asset         = client.Asset
	Version       = client.Version
	Time          = client.Time
	AgentThread   = client.AgentThread
	Agent         = client.Agent
	ThreadContext = client.ThreadContext
	Worktree      = client.Worktree
	Counts        = client.Counts
	AgentMessage  = client.AgentMessage
	Tokens        = client.Tokens
	Block         = client.Block
	ToolCall      = client.ToolCall
	Diff          = client.Diff
	Location      = client.Location
	AgentLog      = client.AgentLog
	Entry         = client.Entry
	AgentConfig   = client.AgentConfig
	Application   = client.Application
	Defaults      = client.Defaults
	Hooks         = client.Hooks
	Symlink       = client.Symlink
	Command       = client.Command
	Tally         = client.Tally
	Mismatch      = client.Mismatch
	Change        = client.Change
	Repair        = client.Repair
	NewThread     = client.NewThread
	ForkPlan      = client.ForkPlan
	StoredAsset   = client.StoredAsset
)

// AGN and what follows are the types of wasm/client for AMP/1.0 tasks.
type (
	AGN           = client.AGN
	TaskHistory   = client.TaskHistory
	MessageID     = client.MessageID
	TaskTime      = client.TaskTime
	TaskFindings  = client.TaskFindings
	TaskMessage   = client.TaskMessage
	TaskPayload   = client.TaskPayload
	Dispatch      = client.Dispatch
	Subtask       = client.Subtask
	TaskResult    = client.TaskResult
	LogEntry      = client.LogEntry
	ReviewRequest = client.ReviewRequest
	CIBuild       = client.CIBuild
	Verdict       = client.Verdict
	Criterion     = client.Criterion
	Issue         = client.Issue
	Fix           = client.Fix
	Escalation    = client.Escalation
	Snapshot      = client.Snapshot
	TaskState     = client.TaskState
	Wait          = client.Wait
	Duty          = client.Duty
	Alarm         = client.Alarm
	Ack           = client.Ack
	Resume        = client.Resume
	TaskRecord    = client.TaskRecord
	Rejection     = client.Rejection
	TaskHead      = client.TaskHead
)

// AMP and what follows are the types of wasm/client for amp/0.1.
type (
	AMP            = client.AMP
	MailTime       = client.MailTime
	Mail           = client.Mail
	MailPayload    = client.MailPayload
	MailAttachment = client.MailAttachment
	MailLocal      = client.MailLocal
	MailSecurity   = client.MailSecurity
	MailVerdict    = client.MailVerdict
	MailKnown      = client.MailKnown
	MailSignature  = client.MailSignature
	MailTrust      = client.MailTrust
	MailLink       = client.MailLink
	MailPlace      = client.MailPlace
	MailDraft      = client.MailDraft
	MailLetter     = client.MailLetter
	MailReply      = client.MailReply
	MailFilename   = client.MailFilename
	MailKey        = client.MailKey
	MailID         = client.MailID
	MailAddress    = client.MailAddress
)

// Mailbox and what follows are the types of wasm/client for what is about all
// formats, and for showing.
type (
	Mailbox       = client.Mailbox
	FileKind      = client.FileKind
	Mention       = client.Mention
	Links         = client.Links
	Render        = client.Render
	RenderOptions = client.RenderOptions
)

// The profiles of SAMP v1 that are in use.
const (
	V1        = client.V1
	V1Compact = client.V1Compact
)

// NewSAMP gives the SAMP ops of any engine.
func NewSAMP(c Caller) SAMP { return client.NewSAMP(c) }

// NewATSF gives the ATSF ops of any engine.
func NewATSF(c Caller) ATSF { return client.NewATSF(c) }

// NewAGN gives the ops of AMP/1.0 tasks of any engine.
func NewAGN(c Caller) AGN { return client.NewAGN(c) }

// NewAMP gives the ops of amp/0.1 of any engine.
func NewAMP(c Caller) AMP { return client.NewAMP(c) }

// NewMail gives the ops about all formats of any engine.
func NewMail(c Caller) Mailbox { return client.NewMail(c) }

// NewRender gives the ops that make text safe to show of any engine.
func NewRender(c Caller) Render { return client.NewRender(c) }

// Default shows what the watermark lets through, and moves it.
func Default() Mode { return client.Default() }

// All shows everything.
func All() Mode { return client.All() }

// Raw shows everything, and every message's line with it.
func Raw() Mode { return client.Raw() }

// Newest shows the newest n messages. The module refuses an n below 1.
func Newest(n int) Mode { return client.Newest(n) }
