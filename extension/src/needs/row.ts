// A row of "Needs You": who needs what, where and since when, and what can be done about it.
// A page draws it (src/webview/needs/needs.ts).

import type { AgentRequest, NeedSection } from '../protocol';
import type { Placeable } from './placing';

/** An icon. It repeats something that the row's words show. */
export type NeedIcon =
  | ('terminal' | 'edit' | 'plan' | 'question' | 'error' | 'halt' | 'ended' | 'bell' | 'mail' | 'reply')
  | ('clock' | 'done' | 'denied' | 'spin' | 'send' | 'warn');

/** A row's colour: red, yellow, blue, grey or green. */
export type Tone = 'bad' | 'blocked' | 'asks' | 'quiet' | 'good';

/** An act on a row, besides the answers to an agent's request. */
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
  /** Whether another agent has the same name, so that only `where` tells them apart. */
  readonly sharesName: boolean;
  /** Line 2, and whether it is a command. `open` is line 2 while the row is open. */
  readonly what: string;
  readonly code: boolean;
  readonly open: string;
  readonly tags: readonly NeedTag[];
  readonly openTags: readonly NeedTag[];
  /** The row in one sentence, without how long it has waited. */
  readonly sentence: string;
  /** What the open row shows: a request with its own buttons, or this text. */
  readonly request?: AgentRequest;
  readonly text?: string;
  /** Whether the text or request is longer than the part in the row. */
  readonly more: boolean;
  readonly command?: string;
  readonly notes: readonly string[];
  readonly options: readonly NeedOption[];
  readonly buttons: readonly NeedButton[];
  /** The acts of its keys and its menu, besides the buttons. */
  readonly acts: readonly NeedAct[];
  readonly draft: boolean;
}
