// The folder in which a session of an agent's program is resumed.

import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { Group } from '../protocol';

/**
 * Returns the folder to resume a session in: its own folder if that is in the worktree of its
 * group, otherwise the worktree. Returns undefined if the worktree is gone.
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

/** Reports whether a path is a folder or in it. Both are real paths. */
export function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
