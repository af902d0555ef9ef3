// The typed mirror of the server's JSON-RPC protocol: method names, params and
// results, exactly as lsp/server sends them. Times are Unix milliseconds.
// Strings in results are sanitized by the server; `html` was made by its one
// sanitizer and is the only value a view may show as markup.

/** Names one message or thread. Opaque: compare with refKey, never take apart. */
export interface Ref {
  readonly protocol: string;
  readonly store: string;
  readonly id: string;
}

/** The protocol of refs to tasks and their messages, which have a view of their own. */
export const taskProtocol = 'agn';

/** A string that is equal for equal refs, for maps and element keys. */
export function refKey(ref: Ref): string {
  return JSON.stringify([ref.protocol, ref.store, ref.id]);
}

/** A remark of the server about a store or page: what rule fired and what it means. */
export interface Warning {
  readonly rule: string;
  readonly message: string;
}

export interface Directory {
  readonly path: string;
  readonly origin: string;
  readonly ok: boolean;
  readonly exists: boolean;
  readonly writable: boolean;
  readonly error?: string;
  readonly store: string;
  readonly logs: number;
  readonly messages: number;
  readonly malformed: number;
  readonly suspicious: number;
}

/** A pattern that finds ids or thread names of one kind in any text. */
export interface LinkPattern {
  readonly kind: string;
  readonly pattern: string;
  readonly flags: string;
}

export interface Limits {
  readonly bodyChars: number;
  readonly pageMax: number;
  readonly refsMax: number;
  readonly frameBytes: number;
}

export interface Status {
  readonly version: string;
  readonly alias: string;
  readonly aliasOrigin: string;
  readonly aliasValid: boolean;
  readonly profile: string;
  readonly profileOrigin: string;
  readonly directories: readonly Directory[];
  readonly limits: Limits;
  readonly linkPatterns: readonly LinkPattern[];
  readonly indexing: boolean;
  readonly readOnly: boolean;
  readonly unread: number;
  readonly needsReply: number;
  readonly projects: readonly Project[];
  readonly ssots: readonly Ssot[];
  readonly mailRoots: readonly MailRoot[];
  /** Open critical escalations. */
  readonly critical: number;
  /** Missed ACKs and silence that nobody escalated. */
  readonly overdue: number;
  readonly warnings: readonly Warning[];
}

/** A directory of mailboxes (amp/0.1) and how it fares. */
export interface MailRoot {
  readonly path: string;
  readonly origin: string;
  readonly store: string;
  readonly exists: boolean;
  readonly error?: string;
  readonly watching: 'notify' | 'poll' | 'partly';
  readonly messages: number;
  readonly boxes: readonly MailBox[];
}

/** One agent's mailbox. */
export interface MailBox {
  readonly name: string;
  readonly address: string;
  /** The user's: mail in it counts, and drafts are signed with its key. */
  readonly own: boolean;
  readonly signs: boolean;
  readonly fingerprint?: string;
  readonly messages: number;
  readonly unread: number;
}

/** Who signs what the user sends as signed mail. */
export interface Identity {
  readonly name: string;
  readonly address: string;
  readonly fingerprint: string;
  readonly origin: string;
  readonly canSend: boolean;
  readonly reason?: string;
  readonly recipients: readonly { readonly alias: string; readonly lastTime: number }[];
}

/** A directory of task messages (AMP/1.0) and how it fares. */
export interface Ssot {
  readonly path: string;
  readonly origin: string;
  readonly store: string;
  /** It has Signalbox's layout; otherwise envelopes lie in it anyhow. */
  readonly own: boolean;
  readonly exists: boolean;
  readonly writable: boolean;
  readonly error?: string;
  readonly watching: 'notify' | 'poll' | 'partly';
  /** This server reports missed ACKs and silence. */
  readonly watchdog: boolean;
  readonly tasks: number;
  readonly messages: number;
  readonly rejected: number;
}

/** A repository with its worktrees, or a plain folder, whose agents' threads are shown. */
export interface Project {
  readonly path: string;
  readonly origin: string;
  readonly watching: 'notify' | 'poll' | 'partly';
  readonly worktrees: readonly Group[];
}

/** What a list puts threads under: the mail, or a worktree with its agents' conversations. */
export interface Group {
  readonly id: string;
  readonly kind: 'mail' | 'worktree';
  readonly title: string;
  readonly path?: string;
  readonly branch?: string;
  readonly main?: boolean;
  /** The worktree was removed; what is known of its threads comes from a cache. */
  readonly gone?: boolean;
  /** In words, what is special about it. */
  readonly note?: string;
  readonly threads: number;
  readonly unread: number;
  readonly lastTime: number;
}

export interface InboxFilter {
  readonly unread?: boolean;
  readonly mine?: boolean;
  readonly protocol?: string;
  readonly text?: string;
  readonly suspicious?: boolean;
  /** A Group's id. */
  readonly group?: string;
  /** The archived threads, which are hidden otherwise, and none else. */
  readonly archived?: boolean;
  /** Those that are to come back later; with archived both. */
  readonly snoozed?: boolean;
  /** All threads, put away or not. */
  readonly everywhere?: boolean;
}

/** The orders of an inbox. "unread" puts the threads that wait for the user before the others. */
export type Sort = 'newest' | 'oldest' | 'unread' | 'sender';

export type Priority = 'urgent' | 'high' | 'normal' | 'low';

/** Trust in signed mail, in a word or two. */
export type AmpState =
  | 'verified'
  | 'external'
  | 'untrusted'
  | 'unsigned'
  | 'key unknown'
  | 'key mismatch'
  | 'replayed'
  | 'expired'
  | 'sent before';

/** What only a thread of signed mail (amp/0.1) has: that of its newest message, but for `attachments`. */
export interface AmpThread {
  readonly priority: Priority;
  readonly state: AmpState;
  readonly trust: Trust;
  readonly expires?: number;
  readonly expired?: boolean;
  /** Of all its messages. */
  readonly attachments: number;
  /** The agent in whose mailbox it lies. */
  readonly mailbox: string;
  readonly archived?: boolean;
  /** Some of it lies in the user's own inbox: it can be marked and archived. */
  readonly archivable?: boolean;
}

/** What only a signed message has. */
export interface AmpMessage {
  readonly subject: string;
  readonly priority: Priority;
  readonly type: string;
  readonly state: AmpState;
  readonly expires?: number;
  readonly expired?: boolean;
  readonly status: 'unread' | 'read' | 'archived';
  readonly mailbox: string;
  readonly box: 'inbox' | 'sent';
  /** How deep in the tree of replies it stands. */
  readonly depth: number;
  readonly parent?: Ref;
  /** The id of the message that it replies to, where that is not there. */
  readonly missing?: string;
  /** JSON, indented. */
  readonly context?: string;
  readonly attachments: readonly AttachmentItem[];
  /** Categories of suspicious words: a hint, and no judgement. */
  readonly flags: readonly string[];
  readonly faults: readonly Warning[];
  /** The fingerprint of the key that the signature fits. */
  readonly key?: string;
  /** In which form it does. */
  readonly step?: string;
  /** It lies in the user's own inbox. */
  readonly archivable: boolean;
}

/** A file that came with a message. */
export interface AttachmentItem {
  /** For `signalbox/attachment/open` and `save`. */
  readonly id: string;
  /** Safe to be a file's name, or empty. */
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly scan: string;
  readonly expires?: number;
  /** There is a file. Whether it is the one that was sent is looked at before it is opened. */
  readonly present: boolean;
  /** Why it cannot be opened, with the rule, or what to beware of. */
  readonly problem?: string;
  /** A person has to agree before it is opened or saved. */
  readonly confirm?: boolean;
}

/** A file whose size and digest the server checked. */
export interface AttachmentFile {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** What only an agent's own conversation (ATSF) has. */
export interface AgentThread {
  readonly name: string;
  readonly branch?: string;
  /** The thread's directory, which is its address. */
  readonly dir: string;
  /** As thread.json has it, which may be another than `dir`. */
  readonly threadId: string;
  readonly parent?: string;
  readonly toolCalls: number;
  /** Why thread.json cannot be read. */
  readonly fault?: string;
}

export interface ThreadItem {
  readonly ref: Ref;
  readonly protocol: string;
  readonly title: string;
  /** Where the title is a name: what the thread is about. */
  readonly subject?: string;
  /** By which link/resolve finds it; missing where no link can hold that. */
  readonly name?: string;
  readonly participants: readonly string[];
  readonly lastFrom: string;
  readonly lastTo: string;
  readonly lastTime: number;
  readonly firstTime: number;
  readonly count: number;
  readonly unread: number;
  readonly needsReply: boolean;
  readonly mine: boolean;
  readonly preview: string;
  readonly marks: readonly string[];
  readonly group: string;
  /** The user put it away. */
  readonly archived?: boolean;
  /** When it comes back. */
  readonly snoozed?: number;
  /** It was snoozed, came back, and was not looked at since. */
  readonly returned?: boolean;
  readonly agent?: AgentThread;
  readonly amp?: AmpThread;
}

export interface InboxPage {
  readonly threads: readonly ThreadItem[];
  readonly nextCursor?: string;
  readonly unread: number;
  readonly needsReply: number;
  readonly suspicious: number;
  /** All there are, whatever the filter: mail, then worktrees. */
  readonly groups: readonly Group[];
  readonly revision: number;
  readonly warnings: readonly Warning[];
}

/** How a SAMP message's id was made; empty for the other formats. */
export type IdForm = '' | 'spaced' | 'compact' | 'ascii-escaped' | 'unnormalised' | 'wrong' | 'missing';

export interface Trust {
  readonly level: 'ok' | 'note' | 'warn';
  readonly label: string;
  readonly detail: string;
}

export interface MessageItem {
  readonly ref: Ref;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly time: number;
  readonly mine: boolean;
  readonly unread: boolean;
  readonly html: string;
  readonly text: string;
  readonly chars: number;
  readonly truncated: boolean;
  readonly idForm: IdForm;
  readonly trust: Trust;
  readonly marks: readonly string[];
  readonly origin: { readonly log: string; readonly line: number };
  /** Set for a message of an agent's own conversation; `html` is then empty. */
  readonly turn?: Turn;
  /** Set for a signed message (amp/0.1). */
  readonly amp?: AmpMessage;
}

/** What a message of an agent's own conversation is made of. */
export interface Turn {
  readonly role: string;
  readonly model?: string;
  readonly stopReason?: string;
  /** Set for a line that is no message: the rule and why. */
  readonly gap?: string;
  readonly parts: readonly Part[];
}

/** One content block or tool call, in the order in which they are shown. */
export interface Part {
  readonly kind: 'text' | 'thinking' | 'image' | 'tool' | 'other';
  readonly html?: string;
  readonly label?: string;
  readonly cut?: boolean;
  /** Of an image, for `signalbox/thread/asset`. */
  readonly asset?: string;
  readonly fault?: string;
  readonly tool?: ToolPart;
}

export interface ToolPart {
  /** Among the message's calls, for `signalbox/thread/diff`. */
  readonly index: number;
  readonly name: string;
  readonly title: string;
  readonly status: string;
  readonly kind: string;
  /** In milliseconds, -1 where the line has none. */
  readonly duration: number;
  readonly input: string;
  readonly output: string;
  readonly inputCut?: boolean;
  readonly outputCut?: boolean;
  readonly locations: readonly { readonly path: string; readonly line?: number }[];
  readonly diff?: {
    readonly path: string;
    readonly created?: boolean;
    readonly added: number;
    readonly removed: number;
  };
}

/** The two texts of a change to a file. Not sanitized: for a text editor alone. */
export interface Diff {
  readonly path: string;
  readonly created: boolean;
  readonly old: string;
  readonly new: string;
}

/** A raster image whose name, digest and first bytes the server checked. */
export interface Asset {
  readonly asset: string;
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly base64: string;
}

/** Leads to another thread. */
export interface ThreadLink {
  readonly ref: Ref;
  /** It is an agent's own conversation, and no mail. */
  readonly agent: boolean;
  readonly title: string;
  readonly count: number;
}

/** Which part of a thread is wanted, seen from a message. */
export type Side = 'before' | 'after' | 'around';

export interface ThreadPage {
  readonly thread: ThreadItem;
  readonly messages: readonly MessageItem[];
  readonly before?: string;
  readonly after?: string;
  /** Threads of other formats that name this one, or that it names. */
  readonly related: readonly ThreadLink[];
  readonly warnings: readonly Warning[];
  readonly revision: number;
}

export interface ResolvedLink {
  readonly token: string;
  readonly status: 'found' | 'ambiguous' | 'missing';
  readonly kind?: 'message' | 'thread';
  readonly title?: string;
  readonly thread?: Ref;
  readonly message?: Ref;
  readonly preview?: string;
  /** What was found is an agent's own conversation, and no mail. */
  readonly agent?: boolean;
  readonly related?: readonly ThreadLink[];
}

/** It is signed mail (amp/0.1) if it answers some, or answers nothing and `to` holds an "@"; what follows `replyTo` is for that alone. */
export interface Draft {
  readonly to: string;
  readonly thread?: string;
  readonly body: string;
  readonly replyTo?: Ref;
  readonly subject?: string;
  readonly priority?: string;
  readonly type?: string;
  /** A JSON object. */
  readonly context?: string;
  /** Absolute paths. */
  readonly attachments?: readonly string[];
  /** Of a ComposePreview: what is sent is then exactly what was shown, or nothing. */
  readonly stamp?: string;
}

export interface ComposeContext {
  readonly from: string;
  readonly recipients: readonly { readonly alias: string; readonly lastTime: number }[];
  readonly threads: readonly { readonly name: string; readonly title: string; readonly ref: Ref }[];
  readonly canSend: boolean;
  readonly reason: string;
  readonly draft?: Draft;
  /** Who signs signed mail, where there are mailboxes. */
  readonly amp?: Identity;
}

export interface DraftWarning {
  readonly severity: 'error' | 'warning';
  readonly rule: string;
  readonly field: string;
  readonly message: string;
}

export interface ComposePreview {
  readonly record: string;
  readonly id: string;
  readonly thread: string;
  readonly to: string;
  readonly from: string;
  readonly log: string;
  readonly profile: string;
  readonly canSend: boolean;
  readonly warnings: readonly DraftWarning[];
  readonly protocol: string;
  /** Of signed mail: the exact bytes that will be signed. `record` is then the payload as it is hashed. */
  readonly signed?: string;
  /** For the draft that is sent. */
  readonly stamp?: string;
  readonly attachments?: readonly AttachmentItem[];
}

export interface Sent {
  readonly ref: Ref;
  readonly thread: Ref;
  readonly id: string;
  readonly threadName: string;
}

export interface Counts {
  readonly unread: number;
  readonly needsReply: number;
}

export interface DidChange extends Counts {
  readonly revision: number;
  readonly kinds: readonly string[];
  readonly refs: readonly Ref[];
  readonly truncated: boolean;
  readonly critical: number;
  readonly overdue: number;
}

export type Severity = 'critical' | 'warning' | 'info';
export type Action = 'approve' | 'redirect' | 'split' | 'terminate';

export interface EscalationCounts {
  /** Open ones, as the next two. */
  readonly critical: number;
  readonly warning: number;
  readonly info: number;
  readonly answered: number;
  readonly overdue: number;
  readonly rejected: number;
}

/** Open escalations by severity, then the oldest first; then answered ones, newest first. */
export interface EscalationPage {
  readonly items: readonly EscalationItem[];
  readonly nextCursor?: string;
  readonly counts: EscalationCounts;
  readonly overdue: readonly Overdue[];
  readonly rejected: readonly RejectedItem[];
  readonly revision: number;
  readonly warnings: readonly Warning[];
}

export interface EscalationItem {
  readonly ref: Ref;
  readonly id: string;
  readonly task: TaskItem;
  readonly kind: string;
  /** The kind in words. */
  readonly label: string;
  readonly severity: Severity;
  readonly from: string;
  readonly triggeredBy: string;
  readonly time: number;
  readonly title: string;
  readonly html: string;
  readonly text: string;
  /** It breaks a rule, counts for nothing and cannot be answered: `path` is the file to mend. */
  readonly malformed?: boolean;
  readonly path?: string;
  readonly open: boolean;
  readonly answer?: { readonly action: Action; readonly text: string; readonly time: number };
  /** The admin's ACK, 0 where there is none. */
  readonly acked: number;
  /** An ACK was asked for, and its time is over. */
  readonly late: boolean;
  /** The agents that stand still because of it. */
  readonly suspended: readonly string[];
  readonly affected: readonly TaskMessage[];
  readonly snapshot: {
    readonly status: string;
    readonly rejectCount: number;
    readonly lastSuccessful?: TaskMessage;
  };
  readonly suggested: readonly Suggestion[];
  readonly warnings: readonly Warning[];
}

/** A mention of a message; without `ref` it is not there. */
export interface TaskMessage {
  readonly id: string;
  readonly ref?: Ref;
  readonly label: string;
}

/** What the sender recommends. It only prefills a response. */
export interface Suggestion {
  readonly text: string;
  readonly action: Action;
}

/** What should have happened and has not, and that nobody escalated. */
export interface Overdue {
  readonly ref: Ref;
  readonly task: Ref;
  readonly taskId: string;
  readonly kind: string;
  readonly label: string;
  readonly who: string;
  readonly since: number;
  readonly text: string;
}

/** A message that breaks a rule and counts for nothing. */
export interface RejectedItem {
  readonly source: string;
  /** Absolute, for opening it as text; empty where it is not in the SSOT. */
  readonly path: string;
  readonly store: string;
  readonly id: string;
  readonly taskId: string;
  readonly time: number;
  /** errors.jsonl has it. */
  readonly logged: boolean;
  readonly faults: readonly { readonly rule: string; readonly field: string; readonly reason: string }[];
}

export interface TaskItem {
  readonly ref: Ref;
  readonly id: string;
  readonly title: string;
  readonly phase: string;
  /** The phase in words, with what matters. */
  readonly state: string;
  readonly repo: string;
  readonly branch: string;
  readonly risk: string;
  readonly rejects: number;
  readonly rejectLimit: number;
  readonly lockNear: boolean;
  readonly lock: string;
  readonly suspended: readonly string[];
  readonly nextWho: string;
  readonly nextDo: string;
  readonly overdue: number;
  readonly open: number;
  readonly silent: boolean;
  readonly messages: number;
  readonly lastTime: number;
}

export interface TasksPage {
  readonly tasks: readonly TaskItem[];
  readonly nextCursor?: string;
  readonly revision: number;
  readonly warnings: readonly Warning[];
}

/** A task's timeline, oldest first. */
export interface TaskPage {
  readonly task: TaskItem;
  readonly timeline: readonly TaskEvent[];
  readonly before?: string;
  /** The timeline for screen readers and terminals, in lines of at most 80 columns. */
  readonly text: string;
  readonly rejected: readonly RejectedItem[];
  readonly warnings: readonly Warning[];
  readonly revision: number;
}

export interface TaskEvent {
  readonly kind: 'message' | 'resume';
  /** Of the message, or of the one that is answered. */
  readonly ref: Ref;
  readonly id: string;
  /** The message's type; empty for a resume. */
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly time: number;
  readonly title: string;
  /** What matters most in it, at most four lines. */
  readonly points: readonly string[];
  /** For colour beside the words. */
  readonly tone: '' | 'good' | 'bad' | 'alarm';
  readonly ack: {
    readonly state: 'none' | 'acknowledged' | 'waiting' | 'overdue';
    readonly by?: string;
    readonly time?: number;
    readonly deadline?: number;
  };
  readonly html: string;
  readonly text: string;
  /** The file, absolute, for opening it as text. */
  readonly path: string;
  readonly warnings: readonly Warning[];
}

/** Without an action the body is a redirect. */
export interface Response {
  readonly ref: Ref;
  readonly action?: Action;
  readonly body: string;
  readonly suggestedIndex?: number;
}

/** What responding would write. `record` is not sanitized: for plain text alone. */
export interface RespondPreview {
  readonly record: string;
  readonly path: string;
  readonly effect: string;
  readonly canRespond: boolean;
  readonly warnings: readonly DraftWarning[];
}

export interface Responded {
  readonly ref: Ref;
  readonly task: TaskItem;
  readonly path: string;
}

/** What reviews found in files of repositories that are open in this workspace. */
export interface IssuesPage {
  readonly issues: readonly IssueItem[];
  readonly revision: number;
  readonly warnings: readonly Warning[];
}

export interface IssueItem {
  /** The verdict. */
  readonly ref: Ref;
  readonly task: Ref;
  readonly taskId: string;
  readonly index: number;
  /** Absolute, of a regular file beneath a workspace folder. */
  readonly path: string;
  /** From 1; 0 stands for the whole file. */
  readonly line: number;
  readonly severity: string;
  readonly blocking: boolean;
  readonly time: number;
  /** Made by the server's sanitizer. */
  readonly markdown: string;
  readonly text: string;
}

/** A place in a file, as LSP has it. */
export interface LspLocation {
  readonly uri: string;
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
}

/** A symbol of the workspace, as LSP has it: a thread. */
export interface LspSymbol {
  readonly name: string;
  readonly containerName?: string;
  readonly location: LspLocation;
}

/** Where a token leads: the line of a message, the file of a thread. */
export interface LocatedLink {
  readonly token: string;
  readonly status: 'found' | 'ambiguous' | 'missing';
  readonly kind?: 'message' | 'thread' | 'branch';
  readonly title?: string;
  readonly protocol?: string;
  /** The address that can be copied. */
  readonly link?: string;
  readonly thread?: Ref;
  readonly message?: Ref;
  readonly locations: readonly (LspLocation & { readonly title: string })[];
  readonly can: readonly string[];
}

/** Messages that mention a token. */
export interface References {
  readonly locations: readonly (LspLocation & {
    readonly message: Ref;
    readonly thread: Ref;
    readonly title: string;
    readonly from: string;
    readonly time: number;
  })[];
  readonly nextCursor?: string;
  readonly complete: boolean;
}

/** How something goes on, what is likely meant first. */
export interface Completions {
  readonly items: readonly {
    readonly text: string;
    readonly kind: 'recipient' | 'thread' | 'message';
    readonly protocol: string;
    readonly detail: string;
    readonly time: number;
  }[];
  readonly incomplete: boolean;
}

/** Messages that fit a query, the newest first. */
export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** Asks for what is older; there may be hits there. */
  readonly nextCursor?: string;
  /** All that there is was looked at. */
  readonly complete: boolean;
  /** What of the query was not understood. Offsets are UTF-16 code units. */
  readonly problems: readonly {
    readonly offset: number;
    readonly length: number;
    readonly message: string;
  }[];
  readonly revision: number;
}

export interface SearchHit {
  readonly message: Ref;
  readonly thread: Ref;
  readonly protocol: string;
  readonly group: string;
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly time: number;
  readonly snippet: string;
  /** Where the words stand in the snippet: start and length in UTF-16 code units. */
  readonly marks: readonly (readonly [number, number])[];
  readonly unread: boolean;
}

/** What the client sends at initialize, and again whenever it changes. */
export interface ServerSettings {
  readonly alias?: string;
  readonly directories?: readonly string[];
  readonly profile?: 'auto' | 'v1' | 'v1-compact';
  readonly readOnly?: boolean;
  readonly updateWatermark?: boolean;
  readonly hoverMaxMessages?: number;
  readonly ssot?: string;
  readonly watchdog?: boolean;
  /** The directory of mailboxes (amp/0.1), and the name or address of the user's own. */
  readonly ampDirectory?: string;
  readonly ampIdentity?: string;
  /** Whether open documents are checked; without it they are. */
  readonly diagnostics?: boolean;
}

/** Every custom request: its params and its result. */
export interface Requests {
  'signalbox/status': { params: Record<string, never>; result: Status };
  'signalbox/inbox/list': {
    params: { filter?: InboxFilter; sort?: Sort; cursor?: string; limit?: number };
    result: InboxPage;
  };
  'signalbox/thread/get': {
    /** A side is one of the message that `ref` names, in place of a cursor; only the page around it has it. */
    params: { ref: Ref; before?: string; after?: string; side?: Side; limit?: number };
    result: ThreadPage;
  };
  'signalbox/thread/diff': { params: { ref: Ref; tool: number }; result: Diff };
  'signalbox/thread/shelve': {
    /** One of archived and snoozeUntil; 0 brings the threads back. */
    params: { refs: readonly Ref[]; archived?: boolean; snoozeUntil?: number };
    result: Counts;
  };
  'signalbox/thread/asset': { params: { ref: Ref; asset: string }; result: Asset };
  'signalbox/link/resolve': { params: { refs: readonly string[] }; result: readonly ResolvedLink[] };
  'signalbox/link/locate': {
    params: { tokens: readonly string[] };
    result: { readonly links: readonly LocatedLink[] };
  };
  'signalbox/link/references': {
    params: { token: string; limit?: number; cursor?: string };
    result: References;
  };
  'signalbox/link/complete': {
    params: { kind: 'recipient' | 'thread' | 'id'; prefix: string; limit?: number };
    result: Completions;
  };
  'workspace/symbol': { params: { query: string }; result: readonly LspSymbol[] };
  'signalbox/compose/context': { params: { ref?: Ref }; result: ComposeContext };
  'signalbox/compose/preview': { params: { draft: Draft }; result: ComposePreview };
  'signalbox/message/send': { params: { draft: Draft; clientToken: string }; result: Sent };
  'signalbox/read/set': {
    params: { refs: readonly Ref[]; read: boolean; updateWatermark?: boolean };
    result: Counts;
  };
  'signalbox/escalation/list': {
    params: { severity?: Severity; open?: boolean; task?: Ref; cursor?: string; limit?: number };
    result: EscalationPage;
  };
  'signalbox/escalation/preview': { params: Response; result: RespondPreview };
  'signalbox/escalation/respond': { params: Response & { clientToken: string }; result: Responded };
  'signalbox/message/ack': { params: { ref: Ref; clientToken: string }; result: Responded };
  'signalbox/mail/archive': { params: { refs: readonly Ref[]; archived: boolean }; result: Counts };
  'signalbox/attachment/open': {
    params: { ref: Ref; attachment: string; confirmed?: boolean };
    result: AttachmentFile;
  };
  'signalbox/attachment/save': {
    params: { ref: Ref; attachment: string; path: string; confirmed?: boolean };
    result: AttachmentFile;
  };
  'signalbox/task/list': { params: { cursor?: string; limit?: number }; result: TasksPage };
  'signalbox/task/get': { params: { ref: Ref; before?: string; limit?: number }; result: TaskPage };
  'signalbox/search': {
    params: { query: string; cursor?: string; limit?: number };
    result: SearchPage;
  };
  'signalbox/issue/list': { params: Record<string, never>; result: IssuesPage };
}

/** The protocol's major versions this client speaks, as sent in `experimental`. */
export const speaks = {
  min: 1,
  max: 1,
  features: ['inbox', 'thread', 'compose', 'link', 'read', 'agents', 'tasks'],
} as const;

/** Error codes the server adds to those of LSP. */
export const ErrorCode = {
  NotFound: 1001,
  Ambiguous: 1002,
  AliasInvalid: 1003,
  NotOwner: 1004,
  StoreUnavailable: 1005,
  Malformed: 1006,
  TooLarge: 1007,
  Untrusted: 1008,
  Unsupported: 1009,
} as const;

/** Codes of LSP for an answer that is void because the request was given up. */
const cancelledCodes: readonly number[] = [-32800, -32802];

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}

/** Whether a failed request failed only because it was cancelled. */
export function isCancelled(error: unknown): boolean {
  return cancelledCodes.includes(codeOf(error) ?? 0);
}

/** Whether a failed request failed with this one of the server's own codes. */
export function isError(error: unknown, name: keyof typeof ErrorCode): boolean {
  return codeOf(error) === ErrorCode[name];
}

/** Whether a failed request was answered at all: the server lives, and it said no. */
export function isAnswer(error: unknown): boolean {
  return codeOf(error) !== undefined && !isCancelled(error);
}

/** What to tell a person about any thrown value: the message, and the detail the server gave. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('data' in error) || typeof error.data !== 'object' || error.data === null) return error.message;
  if (!('detail' in error.data) || typeof error.data.detail !== 'string') return error.message;
  const detail = error.data.detail;
  return detail === '' || error.message.includes(detail) ? error.message : `${error.message} (${detail})`;
}

/** Which open documents the server may know: by a glob, a length, and what stands in the text. */
export interface DocumentKind {
  readonly pattern: string;
  readonly maxBytes: number;
  /** If there are any, all strings of one of them stand in the text. */
  readonly marks: readonly (readonly string[])[];
  /** How much of the text is looked at for marks, in bytes; all of it if it is left out. */
  readonly within?: number;
}

/** The kinds in what the server's capabilities hold; none of the wrong shape. */
export function readDocumentKinds(experimental: unknown): readonly DocumentKind[] {
  if (typeof experimental !== 'object' || experimental === null || !('signalbox' in experimental)) return [];
  const theirs = experimental.signalbox;
  if (typeof theirs !== 'object' || theirs === null || !('documents' in theirs)) return [];
  return Array.isArray(theirs.documents) ? theirs.documents.filter(isDocumentKind) : [];
}

function isDocumentKind(value: unknown): value is DocumentKind {
  if (typeof value !== 'object' || value === null) return false;
  if (!('pattern' in value) || typeof value.pattern !== 'string') return false;
  if (!('maxBytes' in value) || typeof value.maxBytes !== 'number') return false;
  if ('within' in value && typeof value.within !== 'number') return false;
  return 'marks' in value && Array.isArray(value.marks) && value.marks.every(isMark);
}

function isMark(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

/**
 * The major version both sides speak, or undefined. `experimental` is what the
 * server's capabilities hold; anything of the wrong shape counts as no answer.
 */
export function negotiate(experimental: unknown): number | undefined {
  if (typeof experimental !== 'object' || experimental === null || !('signalbox' in experimental)) {
    return undefined;
  }
  const theirs = experimental.signalbox;
  if (typeof theirs !== 'object' || theirs === null || !('min' in theirs) || !('max' in theirs)) {
    return undefined;
  }
  if (typeof theirs.min !== 'number' || typeof theirs.max !== 'number') return undefined;
  const top = Math.min(speaks.max, theirs.max);
  return top >= Math.max(speaks.min, theirs.min) ? top : undefined;
}
