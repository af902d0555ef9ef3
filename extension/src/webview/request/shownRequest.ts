// A request on a page: what it is drawn with, and what the page does with it then.

import type { CardKeys } from '../../keys';
import type { AnswerParams } from '../../protocol';
import type { CardAct, Choice } from '../../request/request';
import type { RequestWords } from '../../request/requestWords';
import type { TextPage } from '../frame';

/** A page that shows requests. */
export type RequestPage = TextPage & { readonly words: { readonly request: RequestWords } };

/** What a request is drawn with besides itself. */
export interface RequestContext {
  /** The agent's name. */
  readonly name: string;
  /** What was chosen and typed before the page was hidden. */
  readonly choices: readonly Choice[];
  /** The names of the keys of its buttons, which the page binds. */
  readonly keys: CardKeys;
  /** Set in a row of a list: its head says already who asks for what, and since when; a reason is typed in the card. */
  readonly inRow?: boolean;
  /** Buttons at the right: Show Terminal, More Actions. */
  readonly tools?: readonly HTMLElement[];
  decide(answer: Omit<AnswerParams, 'id' | 'hash'>): void;
  /** What is chosen or typed has changed. */
  changed(): void;
}

/** A request on a page. */
export interface ShownRequest {
  readonly root: HTMLElement;
  /** What was chosen and typed. */
  readonly choices: readonly Choice[];
  /** Locks the buttons while an answer is on its way. */
  set busy(busy: boolean);
  /** Says what failed. */
  say(text: string, ...more: readonly Node[]): void;
  /** Says how many more requests wait. */
  set others(count: number);
  /** The key for yes: shows what was not in sight, else presses the button; with a red risk it gets only the focus. */
  yes(): void;
  /** The key for no. */
  no(): void;
  /** The key of an option, counted from 0. */
  option(index: number): void;
  /** Opens the step of a row that takes an answer in the user's own words. Returns whether there is one. */
  write(): boolean;
  /** Does what a line of More Actions is for. */
  act(act: CardAct): void;
}
