// The parts of the extension that a thread view uses, and the options to open a thread.

import type * as vscode from 'vscode';
import type { Colouring } from '../code/colouring';
import type { ThemeColours } from '../code/theme';
import type { AttachmentItem, MessageItem, Ref, ThreadItem } from '../protocol';
import type { TypedAhead } from '../views/typedAhead';
import type { FooterHost } from './footer';
import type { StartOffer } from './messages';

export interface ThreadHost extends FooterHost {
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  readonly ahead: TypedAhead;
  /** Notes that the thread came to the front. */
  inFront(thread: ThreadItem): void;
  /** Marks refs as read. Returns the revision that includes the marks, or 0 if nothing was marked. */
  setRead(refs: readonly Ref[]): Promise<number>;
  openAsText(ref: Ref, title: string): Promise<void>;
  openDiff(message: Ref, tool: number, threadTitle: string, secrets: boolean): Promise<void>;
  readonly colouring: Colouring;
  /** Returns the colours that a theme, named by its id, gives to code. */
  themeColours(theme: string): Promise<ThemeColours>;
  /** Opens a file that a message of a thread names. */
  openNamed(name: string, thread: ThreadItem | undefined): Promise<void>;
  openThread(ref: Ref): void;
  /** Notes whether the reply box of a thread holds a text. */
  typed(thread: Ref, holds: boolean): void;
  /** Returns a thread's title if it is known without a request to the server. */
  titleOf(ref: Ref): string;
  /** Opens a compose document that answers a message or thread, or that refers to an agent's thread. */
  writeMail(ref: Ref, body?: string): Promise<void>;
  openFile(message: Ref, file: AttachmentItem): Promise<void>;
  saveFile(message: Ref, file: AttachmentItem): Promise<void>;
  /** Opens a compose document to the agent of a session. */
  writeToAgent(session: Ref): Promise<void>;
  /** Returns the offer to start an agent in a thread, until the agent has answered. */
  startOf(thread: Ref, messages: readonly MessageItem[]): StartOffer | undefined;
  start(thread: Ref): void;
  /** Resumes a session in a terminal. */
  resume(session: Ref): Promise<void>;
  /** Resumes a session with a text. Returns whether the program received the text. */
  continueWith(session: Ref, text: string): Promise<boolean>;
  /** Types a line into the terminal of an agent that is idle there. */
  nudge(alias: string): Promise<void>;
  /** Opens a compose document with a message that an agent's program did not deliver. */
  sendAgain(message: MessageItem): Promise<void>;
}

/** Options to open a thread: with the focus in the reply box, or at one of its messages. */
export interface ShowOptions {
  readonly focusReply?: boolean;
  readonly message?: Ref;
  /** The id of the request to show, if its session has several. */
  readonly request?: string;
  /** Whether the list keeps the focus. */
  readonly preserveFocus?: boolean;
}
