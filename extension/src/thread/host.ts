// What a thread view needs from the rest of the extension, and how one is opened.

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
  /** The thread came to the front. */
  inFront(thread: ThreadItem): void;
  /** Marks as read. Returns the revision that shows it, or 0 where nothing was marked. */
  setRead(refs: readonly Ref[]): Promise<number>;
  openAsText(ref: Ref, title: string): Promise<void>;
  openDiff(message: Ref, tool: number, threadTitle: string, secrets: boolean): Promise<void>;
  readonly colouring: Colouring;
  /** Returns the colours that a theme, named by its id, gives to code. */
  themeColours(theme: string): Promise<ThemeColours>;
  /** Opens a file that a message of a thread names. */
  openNamed(name: string, thread: ThreadItem | undefined): Promise<void>;
  openThread(ref: Ref): void;
  /** Whether the reply box of a thread holds a text. */
  typed(thread: Ref, holds: boolean): void;
  /** Returns a thread's title as far as it is known without asking the server. */
  titleOf(ref: Ref): string;
  /** Opens a compose document that answers a message or thread, or is about an agent's thread. */
  writeMail(ref: Ref, body?: string): Promise<void>;
  openFile(message: Ref, file: AttachmentItem): Promise<void>;
  saveFile(message: Ref, file: AttachmentItem): Promise<void>;
  /** Opens a compose document to the agent of a session. */
  writeToAgent(session: Ref): Promise<void>;
  /** The agent that can be started in a thread, until it has answered. */
  startOf(thread: Ref, messages: readonly MessageItem[]): StartOffer | undefined;
  start(thread: Ref): void;
  /** Goes on with a session in a terminal. */
  resume(session: Ref): Promise<void>;
  /** The same with a text. Returns whether the program was given the text. */
  continueWith(session: Ref, text: string): Promise<boolean>;
  /** Types a line into the terminal of an agent that sits idle there. */
  nudge(alias: string): Promise<void>;
  /** Opens a compose document with a message that an agent's program did not deliver. */
  sendAgain(message: MessageItem): Promise<void>;
}

/** How to open a thread: with the focus in the reply box, or at one of its messages. */
export interface ShowOptions {
  readonly focusReply?: boolean;
  readonly message?: Ref;
  /** Which of several requests of its session is shown. */
  readonly request?: string;
  /** Whether the list keeps the focus. */
  readonly preserveFocus?: boolean;
}
