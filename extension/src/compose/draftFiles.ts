// Finds the files named in a compose document: attachments, and the context if it is in a
// file.

import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { DraftText, FileParts, Problem } from './draft';

/** More than any message may have. The file of a mistyped name must not fill the memory. */
const contextBytesMax = 1 << 20;

/** The parts that were found, and the problems. */
export interface FoundParts extends FileParts {
  readonly problems: readonly Problem[];
}

/**
 * Resolves the paths in a document. Relative paths are in the folder, and "~/" is the user's
 * home. Reads the context's file. The server checks whether attached files exist.
 */
export async function lookUp(text: DraftText, folder: string | undefined): Promise<FoundParts> {
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

/** Returns a path in absolute form, or undefined if it is relative and no folder is open. */
export function absolute(path: string, folder: string | undefined): string | undefined {
  if (/^~[\\/]/.test(path)) return join(homedir(), path.slice(2));
  if (isAbsolute(path)) return resolve(path);
  return folder === undefined || path === '' ? undefined : resolve(folder, path);
}
