// The messages between "Needs You" and its page.

import type { AgentRequest } from '../protocol';
import type { Failure } from '../server/failureWords';
import type { CommonMessage } from '../views/messages';
import type { NeedCounts } from './model';
import type { Decision, Ending } from './outcomes';
import type { NeedAct, NeedRow } from './row';

/** What stands above the list, or instead of it. */
export type NeedsState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'known'; readonly agents: string }
  | { readonly kind: 'unconnected' }
  /** No server runs; `since` is when the list was last known. */
  | { readonly kind: 'unknown'; readonly since: number };

export interface NeedsList {
  readonly type: 'list';
  readonly rows: readonly NeedRow[];
  readonly counts: NeedCounts;
  readonly state: NeedsState;
  /** What happened while nobody used the window. */
  readonly away: string;
  /** What limits the list. */
  readonly notes: readonly string[];
  readonly endings: Readonly<Record<string, Ending>>;
}

export type ToNeeds =
  | NeedsList
  /** The whole of a text or request of which the list has a part. */
  | {
      readonly type: 'whole';
      readonly key: string;
      readonly html?: string;
      readonly text?: string;
      readonly request?: AgentRequest;
    }
  /** A key took a row away that still waits. */
  | { readonly type: 'back'; readonly key: string }
  /** A row is wanted: from the status bar. */
  | { readonly type: 'select'; readonly key: string }
  /** What a menu does that the page does itself. */
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
  /** Rows that are shown no more: how they ended may be forgotten. */
  | { readonly type: 'left'; readonly keys: readonly string[] }
  | { readonly type: 'run'; readonly command: 'restart' | 'doctor' | 'setUp' | 'away' };
