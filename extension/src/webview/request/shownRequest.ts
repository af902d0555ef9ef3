// A request on a page: the values it is drawn with, and the methods that the page calls.

import type { CardKeys } from '../../keys';
import type { AnswerParams } from '../../protocol';
import type { CardAct, Choice } from '../../request/request';
import type { RequestWords } from '../../request/requestWords';
import type { TextPage } from '../frame';

/** A page that shows requests. */
export type RequestPage = TextPage & { readonly words: { readonly request: RequestWords } };

/** The values that a request is drawn with, besides itself. */
export interface RequestContext {
  /** The agent's name. */
  readonly name: string;
  /** The choices and texts from before the page was hidden. */
  readonly choices: readonly Choice[];
  /** The names of its buttons' keys, which the page handles. */
  readonly keys: CardKeys;
  /** Set in a row of a list. The row's head has the title and the time, and a reason is typed in the card. */
  readonly inRow?: boolean;
  /** Buttons at the right: Show Terminal, More Actions. */
  readonly tools?: readonly HTMLElement[];
  decide(answer: Omit<AnswerParams, 'id' | 'hash'>): void;
  /** Called after a choice or a text has changed. */
  changed(): void;
}

export interface ShownRequest {
  readonly root: HTMLElement;
  /** The choices and texts of the user. */
  readonly choices: readonly Choice[];
  /** Locks the buttons while an answer is on its way. */
  set busy(busy: boolean);
  /** Shows a failure. */
  say(text: string, ...more: readonly Node[]): void;
  /** Shows how many more requests wait. */
  set others(count: number);
  /** Handles the key for yes: shows more, or if all was seen presses the button; a red one only gets the focus. */
  yes(): void;
  /** Handles the key for no. */
  no(): void;
  /** Handles the key of an option, counted from 0. */
  option(index: number): void;
  /** Opens the step of a row for an answer in the user's own words. Returns whether it has one. */
  write(): boolean;
  /** Runs an action of the More Actions menu. */
  act(act: CardAct): void;
}
