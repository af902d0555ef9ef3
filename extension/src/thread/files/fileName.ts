// Which words are names of files. Both the page and the extension ask.

import { shownAs } from './attachmentKinds';

export interface NamedPlace {
  readonly path: string;
  /** From 1. */
  readonly line: number | undefined;
}

/** The longest name of a file that becomes a link. */
const nameMost = 300;

const named =
  /^((?:[A-Za-z]:[\\/]|[\\/])?(?:[\p{L}\p{N}_@.+-]+[\\/])*[\p{L}\p{N}_@.+-]+)(?::(\d{1,7})(?::\d{1,7})?)?$/u;

/** Returns the file, and the line, that a text names, or undefined if it names none. */
export function placeIn(text: string): NamedPlace | undefined {
  if (text.length > nameMost) return undefined;
  const [, path = '', line] = named.exec(text) ?? [];
  // Without a known ending it may as well be a branch, a package or a date.
  if (shownAs(path, '') !== 'text' || path.split(/[\\/]/).includes('..')) return undefined;
  return { path, line: line === undefined ? undefined : Number(line) };
}
