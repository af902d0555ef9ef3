// The folder in which a session of an agent's program goes on.

import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { Group } from '../protocol';

/**
 * Returns the folder to resume a session in: its own if that lies in the worktree of its
 * group, else the worktree. Returns undefined if neither is there any more.
 */
export async function workFolder(folder: string, group: Group | undefined): Promise<string | undefined> {
  const worktree = await realFolder(group?.path ?? '');
  if (worktree === undefined) return undefined;
  const own = await realFolder(folder);
  return own !== undefined && isWithin(worktree, own) ? own : worktree;
}

/** Returns the path of a folder without links, or undefined if there is no such folder. */
export async function realFolder(path: string): Promise<string | undefined> {
  if (!isAbsolute(path)) return undefined;
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether a path lies in a folder. Both are real paths. */
export function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
