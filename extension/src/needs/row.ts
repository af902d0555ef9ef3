// A row of "Needs You": who, where, since when and what exactly, and what can be done about
// it. A page draws it (src/webview/needs/needs.ts).

import type { AgentRequest, NeedSection } from '../protocol';
import type { Placeable } from './placing';

/** An icon: it repeats what the row says in words. */
export type NeedIcon =
  | ('terminal' | 'edit' | 'plan' | 'question' | 'error' | 'halt' | 'ended' | 'bell' | 'mail' | 'reply')
  | ('clock' | 'done' | 'denied' | 'spin' | 'send' | 'warn');

/** The kind of a row by colour: red, yellow, blue or grey. */
export type Tone = 'bad' | 'blocked' | 'asks' | 'quiet' | 'good';

/** What can be done about a row, besides answering what an agent's program asks. */
export type NeedAct =
  | ('open' | 'reply' | 'message' | 'continue' | 'respond' | 'acknowledge' | 'terminal' | 'changes')
  | ('nudge' | 'window' | 'done' | 'snooze' | 'archive' | 'read' | 'unread' | 'copy');

export interface NeedButton {
  readonly act: NeedAct;
  readonly label: string;
  readonly main?: boolean;
}

export interface NeedTag {
  readonly text: string;
  readonly keep?: boolean;
}

export interface NeedOption {
  readonly label: string;
}

export interface NeedRow extends Placeable {
  readonly section: NeedSection;
  readonly time: number;
  readonly tone: Tone;
  readonly icon: NeedIcon;
  readonly who: string;
  readonly where: string;
  /** Whether only `where` tells it apart from another agent of the same name. */
  readonly twin: boolean;
  /** Line 2, and whether it is a command; `open` is line 2 while the row is open. */
  readonly what: string;
  readonly code: boolean;
  readonly open: string;
  readonly tags: readonly NeedTag[];
  readonly openTags: readonly NeedTag[];
  /** The row in one sentence, but for how long it has waited. */
  readonly sentence: string;
  /** What the open row shows: a request with its own buttons, or this text. */
  readonly request?: AgentRequest;
  readonly text?: string;
  /** Whether there is more of the text than is here. */
  readonly more: boolean;
  readonly command?: string;
  readonly notes: readonly string[];
  readonly options: readonly NeedOption[];
  readonly buttons: readonly NeedButton[];
  /** What its keys and its menu do besides. */
  readonly acts: readonly NeedAct[];
  readonly draft: boolean;
}
