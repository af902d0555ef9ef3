// The messages between "Needs You" and its page.

import type { AgentRequest } from '../protocol';
import type { Failure } from '../server/failureWords';
import type { CommonMessage } from '../views/messages';
import type { NeedCounts } from './model';
import type { Decision, Ending } from './outcomes';
import type { NeedAct, NeedRow } from './row';

/** The state shown above the list, or in its place. */
export type NeedsState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'known'; readonly agents: string }
  | { readonly kind: 'unconnected' }
  /** No server runs. `since` is when the list was last fetched. */
  | { readonly kind: 'unknown'; readonly since: number };

export interface NeedsList {
  readonly type: 'list';
  readonly rows: readonly NeedRow[];
  readonly counts: NeedCounts;
  readonly state: NeedsState;
  /** The line about what happened while the user was away. */
  readonly away: string;
  /** Why the list may be incomplete, or is read-only. */
  readonly notes: readonly string[];
  readonly endings: Readonly<Record<string, Ending>>;
}

export type ToNeeds =
  | NeedsList
  /** The full text or request of a row that has only a part. */
  | {
      readonly type: 'whole';
      readonly key: string;
      readonly html?: string;
      readonly text?: string;
      readonly request?: AgentRequest;
    }
  /** Brings back a row that a key removed, since its item still waits. */
  | { readonly type: 'back'; readonly key: string }
  /** Selects a row that was chosen in the status bar. */
  | { readonly type: 'select'; readonly key: string }
  /** A menu's act that the page carries out itself. */
  | { readonly type: 'do'; readonly key: string; readonly act: 'always' | 'refuse' }
  | { readonly type: 'failed'; readonly failure: Failure };

export type FromNeeds =
  | CommonMessage
  | { readonly type: 'act'; readonly key: string; readonly act: NeedAct }
  | { readonly type: 'option'; readonly key: string; readonly index: number }
  | { readonly type: 'decide'; readonly key: string; readonly decision: Decision }
  /** Takes back the answer of a row, or the last one. */
  | { readonly type: 'undo'; readonly key: string }
  | { readonly type: 'whole'; readonly key: string }
  /** The rows that are no longer shown. How they ended may be forgotten. */
  | { readonly type: 'left'; readonly keys: readonly string[] }
  | { readonly type: 'run'; readonly command: 'restart' | 'doctor' | 'setUp' | 'away' };
