// The reader's place in a thread, and the open details. VS Code drops a hidden page and makes
// a new one later: a look at a diff must not lose the place in a long thread.

import type { Ref } from '../../protocol';
import type { SavedChoices } from './asked';

/** The state that a page saves. */
export interface SavedState {
  readonly ref: Ref | undefined;
  /** The text that was typed and not sent. */
  readonly text: string;
  /** The text that is held back. It returns to the box if the window closed before it was sent. */
  readonly held?: string | undefined;
  /** The choices and texts for the session's request. */
  readonly asked?: SavedChoices | undefined;
  /** The first visible row and its distance from the top; undefined at the end of the thread. */
  readonly place?: Place | undefined;
  /** By row, the numbers of its open details. */
  readonly open?: Details | undefined;
}

export type Details = Readonly<Record<string, readonly number[]>>;

export interface Place {
  readonly row: string;
  readonly offset: number;
  /** The newest message when the place was saved. */
  readonly newest: string;
}

export function openDetails(of: ParentNode): readonly number[] {
  return [...of.querySelectorAll('details')].flatMap((details, index) => (details.open ? [index] : []));
}

/** Opens details again after their element was rebuilt. New details stay closed. */
export function reopen(within: ParentNode, numbers: readonly number[]): void {
  const all = within.querySelectorAll('details');
  for (const number of numbers) {
    const details = all[number];
    if (details !== undefined) details.open = true;
  }
}

/** The part of a row that has the focus: details by their number, or another part. */
export type Focus = number | 'other';

/** Returns the part of a row that has the focus, or undefined if none has. */
export function focusIn(row: HTMLElement): Focus | undefined {
  const { activeElement } = document;
  if (activeElement === null || !row.contains(activeElement)) return undefined;
  const summaries = [...row.querySelectorAll('summary')];
  const number = summaries.findIndex((summary) => summary === activeElement);
  return number < 0 ? 'other' : number;
}

/** Gives the focus back to a rebuilt row: to the same details, or without them to the message. */
export function refocus(row: HTMLElement, focus: Focus): void {
  const summary = focus === 'other' ? undefined : row.querySelectorAll('summary')[focus];
  (summary ?? row.querySelector('article'))?.focus({ preventScroll: true });
}

/** Returns the first visible row and its distance from the top. */
export function firstInView(
  rows: Iterable<readonly [string, HTMLElement]>,
  top: number,
): { readonly row: string; readonly offset: number } | undefined {
  for (const [row, element] of rows) {
    const box = element.getBoundingClientRect();
    if (box.bottom > top) return { row, offset: box.top - top };
  }
  return undefined;
}
