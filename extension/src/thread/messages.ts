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

/** The receiver of a reply, and whether it can be sent. */
export interface ReplyTarget {
  readonly from: string;
  readonly to: string;
  readonly canSend: boolean;
  readonly reason: string;
  /** The message that the user chose to answer, or undefined for the thread's newest. */
  readonly message: Ref | undefined;
  /** The way in which the receiver is reached, if it is an agent, and the facts about it. */
  readonly reach?: Reach | undefined;
  readonly agent?: AgentItem | undefined;
  readonly facts?: ReachFacts;
  /** The agent's name if mail does not reach it, for example because it has ended. */
  readonly name?: string;
}

/** The next thing that needs the user after this thread. */
export interface NextNeed {
  readonly title: string;
  readonly who: string;
}

/** An offer to start an agent that was connected and has not answered yet. */
export interface StartOffer {
  /** A sentence about the agent, and the label of the button that starts it. */
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
   * The request that the thread's session waits for, the number of further requests, and the
   * outcome of the request before. `here` is set if the page answered that one.
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
  /** Sets the title and facts of a page without a thread. */
  | { readonly type: 'named'; readonly title: string; readonly facts: string }
  /** Runs an action of the More Actions menu, or presses an option, counted from 0. */
  | { readonly type: 'card'; readonly act: CardAct }
  | { readonly type: 'press'; readonly option: number }
  | { readonly type: 'decideFailed'; readonly failure: Failure }
  /** Shows a message, and with `focus` gives it the focus. */
  | { readonly type: 'reveal'; readonly message: Ref; readonly focus: boolean }
  | { readonly type: 'focusFoot' }
  | { readonly type: 'image'; readonly asset: string; readonly image: Image }
  /** The kinds of words in a piece of code that the page requested. */
  | { readonly type: 'coloured'; readonly id: number; readonly runs: Runs }
  /** The colours of a theme, by kind of word. */
  | { readonly type: 'painted'; readonly theme: string; readonly colours: Readonly<Record<string, string>> }
  | { readonly type: 'sent' }
  /** The outcome of the message that was sent last. */
  | { readonly type: 'trace'; readonly trace: Trace | undefined }
  /** Puts a text that was taken back into the box, before any text typed since. */
  | { readonly type: 'back'; readonly text: string }
  /** Offers the next thing that needs the user after something here was answered. */
  | { readonly type: 'next'; readonly next: NextNeed | undefined }
  /** Offers to start an agent here, until it has answered. */
  | { readonly type: 'start'; readonly start: StartOffer | undefined }
  /** Empties the box: its text went into a compose document. */
  | { readonly type: 'handedOver' }
  | { readonly type: 'sendFailed'; readonly failure: Failure }
  /** Has a title if nothing of the thread can be shown: the page may still show another thread. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly title: string | undefined };

/** An image as a data: address, or the reason why it cannot be shown. */
export type Image = { readonly address: string } | { readonly fault: string };

export type FromView =
  | CommonMessage
  | { readonly type: 'revealed' }
  /** Requests the next newer page, or the end of the thread. */
  | { readonly type: 'newer' }
  | { readonly type: 'newest' }
  | { readonly type: 'answer'; readonly message: Ref | undefined }
  | { readonly type: 'send'; readonly body: string; readonly next: boolean }
  | { readonly type: 'undo' }
  /** A text that an earlier page held back, and that may not have been sent. */
  | { readonly type: 'wasHeld'; readonly text: string }
  /** Opens the next thing that needs the user. */
  | { readonly type: 'next' }
  | { readonly type: 'start' }
  /** Shows the terminal that the agent runs in. */
  | { readonly type: 'terminal' }
  /** The user's decision on the session's request. */
  | { readonly type: 'decide'; readonly answer: AnswerParams; readonly next: boolean }
  /** Answers a question with one of the options that it offers. */
  | { readonly type: 'choose'; readonly message: Ref; readonly option: string }
  | { readonly type: 'image'; readonly asset: string }
  /** Requests the colours of a piece of code, or of the current theme. */
  | { readonly type: 'colour'; readonly id: number; readonly language: string; readonly code: string }
  | { readonly type: 'theme'; readonly theme: string }
  /** Opens a file that a message names. The name is not trusted. */
  | { readonly type: 'path'; readonly path: string }
  | { readonly type: 'diff'; readonly message: Ref; readonly tool: number }
  | { readonly type: 'thread'; readonly ref: Ref }
  | { readonly type: 'file'; readonly message: Ref; readonly file: string; readonly save: boolean }
  | { readonly type: 'asDocument'; readonly body: string }
  /** A key that acts on the whole thread. */
  | { readonly type: 'key'; readonly act: KeyAct }
  /** Reports unread messages that have come into view. */
  | { readonly type: 'reached'; readonly messages: readonly Ref[] }
  /** Opens mail to the agent of a session, or about an agent's thread. */
  | { readonly type: 'mail' }
  /** Resumes a session in a terminal. */
  | { readonly type: 'resume' }
  /** Connects an agent's program. */
  | { readonly type: 'setUp' }
  /** Opens mail with a message that an agent's program did not deliver. */
  | { readonly type: 'again'; readonly message: Ref }
  /** Requests keys and tokens in clear, in this tab until it is closed. */
  | { readonly type: 'secrets' };

const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Returns the data: address of an image, or undefined if it is not a raster image in base64. */
export function imageAddress({ mimeType, base64 }: Asset): string | undefined {
  if (!imageTypes.includes(mimeType) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  return `data:${mimeType};base64,${base64}`;
}
