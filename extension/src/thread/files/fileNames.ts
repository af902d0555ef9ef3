// File names in the text of agents, such as `src/auth.ts:40`. A name is not trusted: text that
// looks like a name becomes a link, and the link opens a file only in a folder that the user
// has opened or in the thread's worktree.

import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { isWithin, realFolder } from '../../agent/workFolder';

/** Returns the real path of the named file inside one of the roots. Relative names start at `from`, then at each root. */
export async function fileWithin(
  name: string,
  from: string,
  roots: readonly string[],
): Promise<string | undefined> {
  const real = (await Promise.all(roots.map(realFolder))).filter((root) => root !== undefined);
  for (const base of isAbsolute(name) ? [''] : [from, ...real].filter(isAbsolute)) {
    try {
      const file = await realpath(resolve(base, name));
      if (real.some((root) => isWithin(root, file)) && (await stat(file)).isFile()) return file;
    } catch {
      // The file may be in the next folder.
    }
  }
  return undefined;
}
