// The messages between the thread page and the extension.

import type { Runs } from '../code/kinds';
import type {
  AgentItem,
  AgentRequest,
  AnswerParams,
  Asset,
  MessageItem,
  Reach,
  Ref,
  ThreadItem,
  ThreadLink,
  Warning,
} from '../protocol';
import type { KeyAct } from '../keys';
import type { CardAct } from '../request/request';
import type { Failure } from '../server/failureWords';
import type { CommonMessage } from '../views/messages';
import type { ReachFacts } from './foot/foot';
import type { Trace } from './foot/trace';

/** Whom a reply goes to, and whether it can be sent. */
export interface ReplyTarget {
  readonly from: string;
  readonly to: string;
  readonly canSend: boolean;
  readonly reason: string;
  /** The message that the user chose to answer, or undefined for the thread's newest. */
  readonly message: Ref | undefined;
  /** How the recipient is reached, where that is an agent, and what is known of it. */
  readonly reach?: Reach | undefined;
  readonly agent?: AgentItem | undefined;
  readonly facts?: ReachFacts;
  /** The agent's name where mail does not reach it, as one that has ended. */
  readonly name?: string;
}

/** What needs the user after this thread. */
export interface NextNeed {
  readonly title: string;
  readonly who: string;
}

/** An agent that was connected and has not answered yet. */
export interface StartOffer {
  /** What is said of it, and the button that starts it. */
  readonly note: string;
  readonly button: string;
}

export type ToView =
  | {
      readonly type: 'thread';
      /** The name that the user reads and writes under. */
      readonly me: string;
      readonly thread: ThreadItem;
      readonly messages: readonly MessageItem[];
      readonly older: boolean;
      readonly newer: boolean;
      readonly related: readonly ThreadLink[];
      readonly warnings: readonly Warning[];
    }
  | { readonly type: 'target'; readonly target: ReplyTarget; readonly focus: boolean }
  /**
   * What the thread's session waits for, how many more requests come after it, and what became
   * of the one before. `here` is set if that was answered by the page.
   */
  | {
      readonly type: 'asked';
      /** The agent's name. */
      readonly name: string;
      readonly request: AgentRequest | undefined;
      readonly others: number;
      readonly over: string;
      readonly here: boolean;
    }
  /** The title and facts of a page without a thread. */
  | { readonly type: 'named'; readonly title: string; readonly facts: string }
  /** A line of More Actions, and a key of the editor for an option, counted from 0. */
  | { readonly type: 'card'; readonly act: CardAct }
  | { readonly type: 'press'; readonly option: number }
  | { readonly type: 'decideFailed'; readonly failure: Failure }
  /** Shows a message, with the focus on it unless that is in the box. */
  | { readonly type: 'reveal'; readonly message: Ref; readonly focus: boolean }
  | { readonly type: 'focusFoot' }
  | { readonly type: 'image'; readonly asset: string; readonly image: Image }
  /** The kinds of words in a piece of code that the page asked about. */
  | { readonly type: 'coloured'; readonly id: number; readonly runs: Runs }
  /** The colours of a theme, by the kinds of words. */
  | { readonly type: 'painted'; readonly theme: string; readonly colours: Readonly<Record<string, string>> }
  | { readonly type: 'sent' }
  /** What became of the message that was sent last. */
  | { readonly type: 'trace'; readonly trace: Trace | undefined }
  /** What was taken back: the box has it again, before what was typed since. */
  | { readonly type: 'back'; readonly text: string }
  /** What needs the user next, offered once something here was answered. */
  | { readonly type: 'next'; readonly next: NextNeed | undefined }
  /** The agent that can be started here, until it has answered. */
  | { readonly type: 'start'; readonly start: StartOffer | undefined }
  /** The typed text went into a compose document: the box becomes empty. */
  | { readonly type: 'handedOver' }
  | { readonly type: 'sendFailed'; readonly failure: Failure }
  /** With a title if nothing of the thread can be shown: the page may still show another thread. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly title: string | undefined };

/** An image as a data: address, or why it cannot be shown. */
export type Image = { readonly address: string } | { readonly fault: string };

export type FromView =
  | CommonMessage
  | { readonly type: 'revealed' }
  /** Wants the next newer page, or the end of the thread. */
  | { readonly type: 'newer' }
  | { readonly type: 'newest' }
  | { readonly type: 'answer'; readonly message: Ref | undefined }
  | { readonly type: 'send'; readonly body: string; readonly next: boolean }
  | { readonly type: 'undo' }
  /** An earlier page had sent this, and may not have lived to see it go. */
  | { readonly type: 'wasHeld'; readonly text: string }
  /** Goes to what needs the user next. */
  | { readonly type: 'next' }
  | { readonly type: 'start' }
  /** Shows the terminal that the agent runs in. */
  | { readonly type: 'terminal' }
  /** What the user decided on what the session waits for. */
  | { readonly type: 'decide'; readonly answer: AnswerParams; readonly next: boolean }
  /** Answers a question with one of the options that it offers. */
  | { readonly type: 'choose'; readonly message: Ref; readonly option: string }
  | { readonly type: 'image'; readonly asset: string }
  /** Wants colours for a piece of code, and those of the theme that is shown. */
  | { readonly type: 'colour'; readonly id: number; readonly language: string; readonly code: string }
  | { readonly type: 'theme'; readonly theme: string }
  /** Wants to see a file that a message names. The name is a stranger's. */
  | { readonly type: 'path'; readonly path: string }
  | { readonly type: 'diff'; readonly message: Ref; readonly tool: number }
  | { readonly type: 'thread'; readonly ref: Ref }
  | { readonly type: 'file'; readonly message: Ref; readonly file: string; readonly save: boolean }
  | { readonly type: 'asDocument'; readonly body: string }
  /** A key that is about the whole thread. */
  | { readonly type: 'key'; readonly act: KeyAct }
  /** These unread messages have come into sight. */
  | { readonly type: 'reached'; readonly messages: readonly Ref[] }
  /** Writes to the agent of a session, or about an agent's thread. */
  | { readonly type: 'mail' }
  /** Goes on with a session in a terminal. */
  | { readonly type: 'resume' }
  /** Connects an agent's program. */
  | { readonly type: 'setUp' }
  /** Writes by mail what an agent's program did not deliver. */
  | { readonly type: 'again'; readonly message: Ref }
  /** Wants keys and tokens as they are, in this tab and until it is closed. */
  | { readonly type: 'secrets' };

const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Returns the data: address of an image, or undefined if it is not a raster image in base64. */
export function imageAddress({ mimeType, base64 }: Asset): string | undefined {
  if (!imageTypes.includes(mimeType) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  return `data:${mimeType};base64,${base64}`;
}
