// The buttons beside a failure, each for something that the user can do next.

import type { Remedy } from '../server/failureWords';
import type { CommonMessage } from '../views/messages';
import { button } from './dom';
import type { Page } from './frame';

/** A page that shows failures. */
export type FailurePage = Page<{ readonly remedies: Readonly<Record<Remedy, string>> }, CommonMessage>;

export function remedyButtons(page: FailurePage, remedies: readonly Remedy[]): readonly HTMLElement[] {
  return remedies.map((remedy) =>
    button(page.words.remedies[remedy], 'link', () =>
      page.post(remedy === 'retry' ? { type: 'retry' } : { type: 'remedy', remedy }),
    ),
  );
}

/** Returns the remedies with "retry" first: after any failure a page can be loaded again. */
export function withRetry(remedies: readonly Remedy[]): readonly Remedy[] {
  return ['retry', ...remedies.filter((remedy) => remedy !== 'retry')];
}
