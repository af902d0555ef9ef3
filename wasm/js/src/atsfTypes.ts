import type { Fault, Findings, Finding, Time } from './fault.js';
import type { Bytes, Json, NewJson } from './json.js';

/** A file's specVersion, 0.0 where it cannot be read. */
export interface Version {
  readonly major: number;
  readonly minor: number;
}

/** A timestamp; utc tells that its text says so itself. */
export interface ThreadTime extends Time {
  readonly utc: boolean;
}

/** Who answers in a thread. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly protocol?: string;
  readonly protocolVersion?: number;
}

/** Where a thread was held. Its paths are a stranger's words. */
export interface ThreadContext {
  readonly workingDir: string;
  readonly relativeDir?: string;
  readonly gitBranch?: string;
  readonly gitCommit?: string;
  readonly worktree?: { readonly path: string; readonly branch: string } | null;
}

/** The figures of a thread. messages counts those of the system too. */
export interface Counts {
  readonly messages: number;
  readonly user: number;
  readonly agent: number;
  readonly toolCalls: number;
}

/** A thread.json. Members that are missing or of the wrong kind are empty, and listed in faults. */
export interface Thread extends Findings {
  readonly version: Version;
  readonly id: string;
  readonly title: string;
  readonly created: ThreadTime;
  readonly updated: ThreadTime;
  readonly agent: Required<Agent>;
  readonly context: Required<ThreadContext>;
  readonly stats: Counts;
  /** The thread that this one was forked from, or empty. */
  readonly parentId: string;
  /** The file's own object. */
  readonly metadata: Json;
  /** Is set where the id is not the name of the thread's directory. */
  readonly odd: Fault | null;
}

/** One content block. */
export interface Block {
  /** Where the block stands in the line, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly type: string;
  /** Tells that the type is one that the core knows. */
  readonly known: boolean;
  readonly text?: string;
  /** Is safe to open only after assetName found no fault. */
  readonly assetRef?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly size?: number;
  readonly toolCallId?: string;
  /** Tells of base64 data in the line; see takeInline. */
  readonly inline?: boolean;
  readonly annotations?: Json;
}

/** One use of a tool. */
export interface ToolCall {
  /** Where the call stands in the line, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly id: string;
  readonly name: string;
  /** What the line says; state is what it means. */
  readonly status: string;
  readonly state?: 'pending' | 'running' | 'completed' | 'failed';
  readonly title?: string;
  readonly kind?: string;
  readonly input?: string;
  readonly output?: string;
  /** In milliseconds. */
  readonly duration?: number;
  readonly diff?: {
    readonly path: string;
    readonly old: string;
    readonly new: string;
    readonly created: boolean;
  };
  readonly locations?: readonly { readonly path: string; readonly line?: number }[];
}

/** What a message cost. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** One line of a messages.jsonl. */
export interface AgentMessage extends Findings {
  readonly id: string;
  readonly role: string;
  readonly time: ThreadTime;
  readonly content: readonly Block[];
  readonly tools: readonly ToolCall[];
  /** Count what the line has, also beyond what is listed. */
  readonly blocks: number;
  readonly toolCalls: number;
  readonly stopReason: string;
  readonly model: string;
  readonly tokens: Tokens | null;
}

/** One line of a log; either message or fault is set. */
export interface Entry {
  /** Counts lines from 1. */
  readonly number: number;
  /** In bytes from the start of the input. */
  readonly offset: number;
  readonly length: number;
  readonly message: AgentMessage | null;
  readonly fault: Fault | null;
}

/** A part of a messages.jsonl. */
export interface AgentLog {
  readonly entries: readonly Entry[];
  /** Where reading ended, in bytes; with torn an unfinished line stands there. */
  readonly next: number;
  readonly torn: boolean;
}

/** A program that writes threads. */
export interface Application {
  readonly name: string;
  readonly version: string;
}

/** A config.json. Whoever does what its hooks say shows it first and asks. */
export interface Config extends Findings {
  readonly version: Version;
  readonly createdBy: Application | null;
  readonly defaults: {
    readonly agentId: string;
    readonly interactionMode: string;
    readonly modelId: string;
    readonly useWorktree: boolean | null;
  };
  /** The file's own object. */
  readonly agentSettings: Json;
  readonly hooks: {
    /** A link with a fault must not be made. */
    readonly symlinks: readonly { source: string; target: string; fault: Fault | null }[];
    readonly commands: readonly Command[];
    readonly initialPrompt: string;
  };
  /** Names the members that look like secrets. */
  readonly secrets: readonly Fault[];
}

/** A command to run. One with a fault must not be run. */
export interface Command {
  readonly command: string;
  readonly label: string;
  /** In milliseconds. */
  readonly timeout: number;
  readonly continueOnError: boolean;
  /** Of win32, darwin and linux; null means all of them. */
  readonly platforms: readonly string[] | null;
  readonly fault: Fault | null;
}

/** What the messages say about themselves. */
export interface TallyOf {
  readonly stats: Counts;
  /** The time of the last message that has one. */
  readonly last: ThreadTime;
  /** Counts the lines that are no message. */
  readonly bad: number;
}

/** A tally; next is where the unfinished last line begins, or the length. */
export interface Tally extends TallyOf {
  readonly next: number;
}

/** A cached figure that the messages do not bear out. */
export interface Mismatch {
  readonly field: string;
  readonly cached: string;
  readonly derived: string;
  readonly reason: string;
}

/** A tally, and the cached figures that differ from it. */
export interface Comparison extends Tally {
  readonly mismatches: readonly Mismatch[];
}

/** What a thread's two files show about the rules. A line is 0 in thread.json. */
export interface ThreadCheck extends TallyOf {
  readonly torn: boolean;
  readonly findings: readonly (Finding & { readonly file: 'thread.json' | 'messages.jsonl' })[];
  /** Counts the findings beyond the limit. */
  readonly more: number;
}

/** What repairing did to a thread.json, in numbers. */
export interface RepairHead {
  readonly changed: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly length: number;
}

/** What repairing did; data is the file's new bytes. */
export interface Repair extends RepairHead {
  readonly data: Uint8Array;
}

/** Sets one member, named by its path through the objects it stands in. */
export interface Change {
  readonly path: readonly string[];
  readonly value: NewJson;
}

/** What a new thread.json says. Times are Unix milliseconds. */
export interface NewAgentThread {
  readonly id: string;
  readonly title: string;
  readonly created: number;
  readonly updated?: number | null;
  readonly agent: Agent;
  readonly context: ThreadContext;
  readonly stats?: Counts;
  readonly parentId?: string;
  readonly metadata?: NewJson;
}

/** A block to be written: raw as it stands without white space, else the other members. */
export interface NewBlock {
  readonly raw?: NewJson;
  readonly type?: string;
  readonly text?: string;
  readonly assetRef?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly size?: number;
  readonly toolCallId?: string;
  readonly annotations?: NewJson;
}

/** A tool call to be written, as a block is. */
export interface NewToolCall {
  readonly raw?: NewJson;
  readonly id?: string;
  readonly name?: string;
  readonly status?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly input?: string;
  readonly output?: string;
  readonly duration?: number;
  readonly diff?: { readonly path: string; readonly old: string; readonly new: string };
  readonly locations?: readonly { readonly path: string; readonly line?: number }[];
}

/** What a new line of a messages.jsonl says. */
export interface NewAgentMessage {
  readonly id: string;
  readonly role: string;
  /** In Unix milliseconds. */
  readonly time: number;
  readonly content: readonly NewBlock[];
  readonly tools?: readonly NewToolCall[];
  readonly stopReason?: string;
  readonly model?: string;
  readonly tokens?: Tokens | null;
}

/** Says how a thread is continued as another one. */
export interface ForkPlan {
  readonly id: string;
  /** In Unix milliseconds. */
  readonly created: number;
  /** Default: the parent's. */
  readonly title?: string;
  /** The id of the last message that the fork takes over. Default: all. */
  readonly through?: string;
}

/** The two files of a forked thread. */
export interface Fork {
  readonly thread: Uint8Array;
  readonly messages: Uint8Array;
}

/** What content is. */
export interface Asset {
  /** The name of a new asset with this content. */
  readonly name: string;
  /** The MIME type of an image that may be shown, or empty. */
  readonly imageType: '' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** What is wrong with the content under the name it was found by. */
  readonly fault: Fault | null;
}

/** What is known of content that is to be named or checked. */
export interface AssetQuery {
  /** The name that it was found by. */
  readonly name?: string;
  /** The extension without the dot. */
  readonly ext?: string;
  readonly mimeType?: string;
}

/** A reference to a file in assets/. One with a fault is not to be opened. */
export interface AssetName {
  readonly hex: string;
  readonly ext: string;
  readonly fault: Fault | null;
}

/** Content to be stored in assets/. */
export interface StoredAsset {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A line without its base64 data, and the assets to be stored before it. */
export interface TakenInline {
  readonly line: Uint8Array;
  readonly assets: readonly StoredAsset[];
}

/** A thread's two files. */
export interface ThreadFiles {
  readonly thread: Bytes;
  readonly messages: Bytes;
}
