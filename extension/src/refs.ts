// Compares refs, and reads them from places that others can write to: restored webview
// state, command arguments, document URIs.

import type { Change, Ref } from './protocol';

/** The protocol of refs to tasks and their messages, which have their own view. */
export const taskProtocol = 'agn';

/** The protocol of refs to sessions recorded by agents' own programs. */
export const sessionProtocol = 'session';

/** Returns a string that is the same for equal refs. Use it as a key. */
export function refKey(ref: Ref): string {
  return JSON.stringify([ref.protocol, ref.store, ref.id]);
}

/** Reports whether a change may concern a thread: it names the thread, or is truncated. */
export function concerns(change: Change, key: string): boolean {
  return change.truncated || change.refs.some((ref) => refKey(ref) === key);
}

/** Returns the ref in a value of unknown origin, or undefined. */
export function readRef(value: unknown): Ref | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('protocol' in value) || !('store' in value) || !('id' in value)) return undefined;
  const { protocol, store, id } = value;
  if (typeof protocol !== 'string' || typeof store !== 'string' || typeof id !== 'string') return undefined;
  return { protocol, store, id };
}

/** Returns the ref in a string made with JSON.stringify, or undefined. */
export function parseRef(text: string): Ref | undefined {
  try {
    return readRef(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns a short part of a file name: a title's letters, digits, spaces and "._-". */
export function fileNameOf(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[. ]+/, '');
  return name.slice(0, 60).trim();
}

/** Returns the last part of a path of any operating system. For display only. */
export function folderName(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '');
  return parts.at(-1) ?? path;
}

/**
 * Returns a name for a document that shows a stranger's version of a file. The name
 * has the file's extension, from which the editor infers the language, and ".txt" after
 * it if the editor would not show such a file as text.
 */
export function documentNameOf(path: string): string {
  const base = folderName(path);
  const extension = /(?<=.)\.[A-Za-z0-9]{1,12}$/.exec(base)?.[0] ?? '';
  const name = fileNameOf(base.slice(0, base.length - extension.length)) || 'file';
  return `${name}${extension}${notText.test(extension) ? '.txt' : ''}`;
}

const notText = /^\.(ipynb|png|jpe?g|jpe|gif|bmp|ico|webp|avif|mp[34]|wav|ogg|oga|webm|pdf|vsix)$/i;
