// What a compose document names on disk: the files it attaches, and a context
// that is kept in one.

import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { DraftText, Looked, Problem } from './draft';

/** More than any message may hold, so that a wrong name does not fill the memory. */
const contextBytesMax = 1 << 20;

/** What was found, and what was not. */
export interface Looking extends Looked {
  readonly problems: readonly Problem[];
}

/**
 * Looks up what a document names. Relative paths are those of a folder, a
 * beginning "~/" is the user's home. Whether the attached files are there is
 * left to the server, which reads them.
 */
export async function lookUp(text: DraftText, folder: string | undefined): Promise<Looking> {
  const problems: Problem[] = [];
  const attachments: string[] = [];
  for (const { value, place } of text.attach) {
    const path = absolute(value, folder);
    if (path === undefined) problems.push({ place, kind: 'noFolder', text: value });
    else attachments.push(path);
  }
  if (!text.context.startsWith('@')) return { attachments, context: text.context, problems };
  const place = text.places.context;
  const named = text.context.slice(1).trim();
  const path = absolute(named, folder);
  if (path === undefined) {
    problems.push({ place, kind: 'noFolder', text: named });
    return { attachments, context: '', problems };
  }
  try {
    return { attachments, context: await contextIn(path), problems };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({ place, kind: 'noFile', text: reason });
    return { attachments, context: '', problems };
  }
}

async function contextIn(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > contextBytesMax) throw new Error(`${path}: ${size} B`);
  return readFile(path, 'utf8');
}

/** The absolute form of a path; undefined for one that no folder gives a meaning. */
export function absolute(path: string, folder: string | undefined): string | undefined {
  if (/^~[\\/]/.test(path)) return join(homedir(), path.slice(2));
  if (isAbsolute(path)) return resolve(path);
  return folder === undefined || path === '' ? undefined : resolve(folder, path);
}
