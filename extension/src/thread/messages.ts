// The messages between the thread page and the extension.

import type { Runs } from '../code/kinds';
import type {
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
import type { Failure } from '../server/failureWords';
import type { CommonMessage } from '../views/messages';

/** Whom a reply goes to, and whether it can be sent. */
export interface ReplyTarget {
  readonly from: string;
  readonly to: string;
  readonly canSend: boolean;
  readonly reason: string;
  /** The message that the user chose to answer, or undefined for the thread's newest. */
  readonly message: Ref | undefined;
  /** How the recipient is reached, where that is an agent. */
  readonly reach?: Reach | undefined;
}

export type ToView =
  | {
      readonly type: 'thread';
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
  | { readonly type: 'decideFailed'; readonly failure: Failure }
  | { readonly type: 'reveal'; readonly message: Ref }
  | { readonly type: 'focusFoot' }
  | { readonly type: 'image'; readonly asset: string; readonly image: Image }
  /** The kinds of words in a piece of code that the page asked about. */
  | { readonly type: 'coloured'; readonly id: number; readonly runs: Runs }
  /** The colours of a theme, by the kinds of words. */
  | { readonly type: 'painted'; readonly theme: string; readonly colours: Readonly<Record<string, string>> }
  | { readonly type: 'sent' }
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
  | { readonly type: 'send'; readonly body: string }
  /** What the user decided on what the session waits for. */
  | { readonly type: 'decide'; readonly answer: AnswerParams }
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
  | { readonly type: 'unread'; readonly back: boolean }
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
