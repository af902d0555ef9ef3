// Telling refs apart, and reading back the values that pass through places others can write to:
// webview messages, restored webview state, command arguments, document URIs.

import type { Ref } from './protocol';

/** The protocol of refs to tasks and their messages, which have a view of their own. */
export const taskProtocol = 'agn';

/** A string that is equal for equal refs, for maps and element keys. */
export function refKey(ref: Ref): string {
  return JSON.stringify([ref.protocol, ref.store, ref.id]);
}

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

/** The last part of a path of any system, to show; never to be opened. */
export function folderName(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '');
  return parts.at(-1) ?? path;
}

/**
 * A name for a document that shows a stranger's version of a file: its base
 * name, so that the editor knows the language. Kinds of files that the editor
 * would not show as text are shown as plain text.
 */
export function documentNameOf(path: string): string {
  const base = folderName(path);
  const extension = /(?<=.)\.[A-Za-z0-9]{1,12}$/.exec(base)?.[0] ?? '';
  const name = fileNameOf(base.slice(0, base.length - extension.length)) || 'file';
  return `${name}${extension}${notText.test(extension) ? '.txt' : ''}`;
}

const notText = /^\.(ipynb|png|jpe?g|jpe|gif|bmp|ico|webp|avif|mp[34]|wav|ogg|oga|webm|pdf|vsix)$/i;
