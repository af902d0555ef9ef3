// Where the reader is in a thread, and what is unfolded. A page that is
// hidden is thrown away by VS Code and made anew when it comes back: a look at
// a diff must not cost the place in a long conversation.

import type { Ref } from '../protocol';

/** What a page leaves for the next one. */
export interface SavedState {
  readonly ref: Ref | undefined;
  /** What is typed and not sent. */
  readonly text: string;
  /** The first row in view and how far below the edge it begins; none at the end of the thread. */
  readonly place?: Place | undefined;
  /** By row, the numbers of its details that are open. */
  readonly open?: Details | undefined;
}

export type Details = Readonly<Record<string, readonly number[]>>;

export interface Place {
  readonly row: string;
  readonly offset: number;
  /** The newest message by then. */
  readonly newest: string;
}

/** The numbers of the details in an element that are open. */
export function openDetails(of: ParentNode): readonly number[] {
  return [...of.querySelectorAll('details')].flatMap((details, index) => (details.open ? [index] : []));
}

/** Opens details again after their element was built anew. What is new stays closed. */
export function reopen(within: ParentNode, numbers: readonly number[]): void {
  const all = within.querySelectorAll('details');
  for (const number of numbers) {
    const details = all[number];
    if (details !== undefined) details.open = true;
  }
}

/** The first row that reaches into what is seen, as far as it can be said by numbers. */
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
