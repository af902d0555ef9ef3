// The messages between the extension and the page of "Agents".

import type { Failure } from '../server/failureWords';
import type { CommonMessage } from '../views/messages';
import type { AgentAct, AgentsShown, RowFile } from './model';

/** What the page asks for. */
export type FromAgents =
  | CommonMessage
  | { readonly type: 'act'; readonly key: string; readonly act: AgentAct }
  /** The row is open: asks for the agent's last message and the files that it changed. */
  | { readonly type: 'whole'; readonly key: string }
  | { readonly type: 'file'; readonly key: string; readonly path: string }
  | { readonly type: 'send'; readonly key: string; readonly text: string }
  | { readonly type: 'run'; readonly command: 'setUp' | 'start' | 'restart' };

/** Where the page is shown. */
export type AgentsPlace = 'side' | 'tab';

export type ToAgents =
  | {
      readonly type: 'agents';
      readonly place: AgentsPlace;
      readonly shown: AgentsShown;
      readonly counts: string;
    }
  /** The agents are not known: no server runs, or it has only just been started. */
  | { readonly type: 'unknown' | 'starting' }
  | {
      readonly type: 'whole';
      readonly key: string;
      readonly html: string;
      readonly files: readonly RowFile[];
    }
  /** Opens the box of a row. */
  | { readonly type: 'write'; readonly key: string }
  | { readonly type: 'sent'; readonly key: string; readonly words: string }
  | { readonly type: 'notSent'; readonly key: string; readonly failure: Failure };
