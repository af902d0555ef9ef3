// A host with the files of the disk, which other programs write too. As in an editor a call takes
// some time, nothing is locked, and a file is written whole.

import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Host } from '../../src/browser/host';

const codes: Readonly<Record<string, string>> = { ENOENT: 'FileNotFound', EEXIST: 'FileExists' };

/** Returns the files below some paths, each of which stands for a folder of the disk. */
export function diskHost(mounts: Readonly<Record<string, string>>, delay: () => Promise<void>): Host {
  const real = (path: string): string => {
    const mount = Object.keys(mounts).find((one) => path === one || path.startsWith(`${one}/`));
    if (mount === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' });
    return `${mounts[mount] ?? ''}${path.slice(mount.length)}`;
  };
  const at = async <T>(run: () => Promise<T>): Promise<T> => {
    await delay();
    try {
      return await run();
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      throw Object.assign(new Error(message), { code: codes[code] ?? code });
    }
  };
  const type = (of: { isDirectory(): boolean }): number => (of.isDirectory() ? 2 : 1);
  const free = async (path: string): Promise<void> => {
    const there = await stat(path).catch(() => undefined);
    if (there !== undefined) throw Object.assign(new Error(path), { code: 'EEXIST' });
  };
  return {
    stat: (path) =>
      at(async () => {
        const found = await stat(path === '/' ? path : real(path));
        return { type: type(found), ctime: found.birthtimeMs, mtime: found.mtimeMs, size: found.size };
      }),
    readDirectory: (path) =>
      at(async () =>
        path === '/'
          ? Object.keys(mounts).map((one) => [one.slice(1), 2])
          : (await readdir(real(path), { withFileTypes: true })).map((one) => [one.name, type(one)]),
      ),
    readFile: (path) => at(async () => new Uint8Array(await readFile(real(path)))),
    writeFile: (path, data) => at(() => writeFile(real(path), data)),
    delete: (path) => at(() => rm(real(path), { recursive: true })),
    rename: (from, to, overwrite) =>
      at(async () => {
        if (!overwrite) await free(real(to));
        await rename(real(from), real(to));
      }),
    copy: (from, to) =>
      at(async () => {
        await free(real(to));
        await copyFile(real(from), real(to));
      }),
    createDirectory: (path) =>
      at(async () => {
        await mkdir(real(path), { recursive: true });
      }),
  };
}
