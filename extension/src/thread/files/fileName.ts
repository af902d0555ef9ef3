// Recognises names of files in text, for the page and the extension.

import { shownAs } from './attachmentKinds';

export interface NamedPlace {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number | undefined;
}

/** The longest name of a file that becomes a link. */
const maxNameLength = 300;

const namePattern =
  /^((?:[A-Za-z]:[\\/]|[\\/])?(?:[\p{L}\p{N}_@.+-]+[\\/])*[\p{L}\p{N}_@.+-]+)(?::(\d{1,7})(?::\d{1,7})?)?$/u;

/** Returns the file, and the line, that a text names, or undefined if it names none. */
export function placeIn(text: string): NamedPlace | undefined {
  if (text.length > maxNameLength) return undefined;
  const [, path = '', line] = namePattern.exec(text) ?? [];
  // Without a known extension it may be a branch, a package or a date.
  if (shownAs(path, '') !== 'text' || path.split(/[\\/]/).includes('..')) return undefined;
  return { path, line: line === undefined ? undefined : Number(line) };
}
