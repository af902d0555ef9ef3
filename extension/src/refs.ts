// Reading back the values that pass through places others can write to:
// webview messages, restored webview state, command arguments, document URIs.

import type { Ref } from './protocol';

/** The ref a value of unknown origin holds, or undefined when it holds none. */
export function readRef(value: unknown): Ref | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('protocol' in value) || !('store' in value) || !('id' in value)) return undefined;
  const { protocol, store, id } = value;
  if (typeof protocol !== 'string' || typeof store !== 'string' || typeof id !== 'string') return undefined;
  return { protocol, store, id };
}

/** The ref a string made with JSON.stringify holds, or undefined. */
export function parseRef(text: string): Ref | undefined {
  try {
    return readRef(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A one-line, short file name part: what is left of a title when all that could mislead is gone. */
export function fileNameOf(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[. ]+/, '');
  return name.slice(0, 60).trim();
}
