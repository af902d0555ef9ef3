// The messages between the extension and its pages that all pages share.

import type { Remedy } from '../server/failureWords';

/** What was typed before the text field had the focus. */
export interface TypedMessage {
  readonly type: 'typed';
  readonly text: string;
}

/** The first message to a page: everything that it says in words. */
export interface WordsMessage<Words> {
  readonly type: 'words';
  readonly words: Words;
  readonly locale: string;
}

/**
 * What every page sends: it is up; it wants older entries, another try, what a
 * button beside a failure does or its text as a document; the user types, copies or
 * follows a link.
 */
export type CommonMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'older' }
  | { readonly type: 'retry' }
  | { readonly type: 'remedy'; readonly remedy: Remedy }
  | { readonly type: 'asText' }
  | { readonly type: 'typing'; readonly empty: boolean }
  /** Its text field is where the next key goes, once the page itself has the focus. */
  | { readonly type: 'awaitsText'; readonly focused: boolean }
  /** The page has the focus, or lost it. */
  | { readonly type: 'focused'; readonly focused: boolean }
  /** Escape leads out of the page. */
  | { readonly type: 'leave' }
  /** The map of keys is wanted. */
  | { readonly type: 'keys' }
  /** What was typed for a text field elsewhere that is not there yet. */
  | { readonly type: 'ahead'; readonly text: string }
  /** The search is wanted, or has more text that was typed here before it had the focus. */
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'open'; readonly href: string };

const commonTypes = new Set<CommonMessage['type']>([
  'ready',
  'older',
  'retry',
  'remedy',
  'asText',
  'typing',
  'awaitsText',
  'focused',
  'leave',
  'keys',
  'ahead',
  'search',
  'copy',
  'open',
]);

export function isCommon(message: { readonly type: string }): message is CommonMessage {
  return (commonTypes as ReadonlySet<string>).has(message.type);
}

/** Returns the address if the user may be asked to open it: https, with nothing in it that hides where it leads. */
export function httpsAddress(href: string): string | undefined {
  try {
    const url = new URL(href);
    return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
