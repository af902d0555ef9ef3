// Where the reader is in a thread, and which details are open. VS Code drops a
// hidden page and makes a new one later: looking at a diff must not lose the
// place in a long thread.

import type { Ref } from '../../protocol';
import type { SavedChoices } from './asked';

/** The state that a page saves. */
export interface SavedState {
  readonly ref: Ref | undefined;
  /** The text that is typed and not sent. */
  readonly text: string;
  /** The text that was sent and held back: it comes back if the window closed before it went. */
  readonly held?: string | undefined;
  /** What was chosen and typed for what the session waits for. */
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
  /** The newest message at that time. */
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

/** What has the focus in a row: one of its details by their number, or another part. */
export type Focus = number | 'other';

/** Returns what has the focus in a row, or undefined if nothing has. */
export function focusIn(row: HTMLElement): Focus | undefined {
  const { activeElement } = document;
  if (activeElement === null || !row.contains(activeElement)) return undefined;
  const summaries = [...row.querySelectorAll('summary')];
  const number = summaries.findIndex((summary) => summary === activeElement);
  return number < 0 ? 'other' : number;
}

/** Gives the focus back to a row that was built again: to the same details, else to the message. */
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
