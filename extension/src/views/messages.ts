// The messages between the extension and its pages that all pages share.

import type { Remedy } from '../server/failureWords';

/** The text that was typed before the text field had the focus. */
export interface TypedMessage {
  readonly type: 'typed';
  readonly text: string;
}

/** The first message to a page: all its words. */
export interface WordsMessage<Words> {
  readonly type: 'words';
  readonly words: Words;
  readonly locale: string;
}

/**
 * The messages that every page sends: it is up; it wants older entries, another try, the
 * remedy of a failure or its text as a document; the user types, copies or follows a link.
 */
export type CommonMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'older' }
  | { readonly type: 'retry' }
  | { readonly type: 'remedy'; readonly remedy: Remedy }
  | { readonly type: 'asText' }
  | { readonly type: 'typing'; readonly empty: boolean }
  /** The page's text field takes the next key, once the page itself has the focus. */
  | { readonly type: 'awaitsText'; readonly focused: boolean }
  /** The page got or lost the focus. */
  | { readonly type: 'focused'; readonly focused: boolean }
  /** Escape moves the focus out of the page. */
  | { readonly type: 'leave' }
  /** The user wants the map of keys. */
  | { readonly type: 'keys' }
  /** Text that was typed here for a text field elsewhere that is not up yet. */
  | { readonly type: 'ahead'; readonly text: string }
  /** The user wants the search, or typed more text for it here before it had the focus. */
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

/** Returns the address if it is https, without a user name or password that could hide its host. */
export function httpsAddress(href: string): string | undefined {
  try {
    const url = new URL(href);
    return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
