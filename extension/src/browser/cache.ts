// A cache of the host's files. A call to the host takes 10 to 50 ms, so an answer is used again
// until an event or its age says that the file may have changed.

import type { Host, HostStat } from './host';

/** An error with a code that Go's syscall package knows. */
export class FileError extends Error {
  readonly code: string;

  constructor(code: string, path: string) {
    super(`${code}: ${path}`);
    this.code = code;
  }
}

const codes: Readonly<Record<string, string>> = {
  FileNotFound: 'ENOENT',
  EntryNotFound: 'ENOENT',
  FileExists: 'EEXIST',
  EntryExists: 'EEXIST',
  FileNotADirectory: 'ENOTDIR',
  EntryNotADirectory: 'ENOTDIR',
  FileIsADirectory: 'EISDIR',
  EntryIsADirectory: 'EISDIR',
  NoPermissions: 'EACCES',
};

export function fileError(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  const code = String((error as { code?: unknown } | undefined)?.code);
  return new FileError(codes[code] ?? 'EIO', path);
}

export interface Entry {
  path: string;
  /** Our own number for an inode: providers have none. */
  ino: number;
  stat: HostStat | undefined;
  /** When the stat and the names were asked for, or -Infinity for never. */
  at: number;
  namesAt: number;
  names: Map<string, number> | undefined;
  data: Uint8Array | undefined;
  usedAt: number;
  /** Counts the reported changes, so that an answer from before a change is not used again. */
  changes: number;
  asking: Promise<void> | undefined;
  listing: Promise<void> | undefined;
  /** How many of a folder's files were asked for one by one since its names were read. */
  asked: number;
}

export interface CacheOptions {
  readonly now: () => number;
  /** How long an answer is used again without an event, in ms. */
  readonly keepMillis: () => number;
  /** The longest file that is read, and the most contents that are cached, in bytes. */
  readonly longest: number;
  readonly mostCached: number;
}

/** The most files of a folder that are asked for at once when a program goes through it. */
const mostAhead = 500;
/** The longest file that is read ahead, in bytes. */
const longestAhead = 1 << 20;

export class Cache {
  readonly #entries = new Map<string, Entry>();
  #inodes = 1;
  #bytes = 0;

  readonly host: Host;
  readonly options: CacheOptions;

  constructor(host: Host, options: CacheOptions) {
    this.host = host;
    this.options = options;
  }

  entry(path: string): Entry {
    let entry = this.#entries.get(path);
    if (entry === undefined) {
      const never = { at: -Infinity, namesAt: -Infinity, usedAt: 0, changes: 0, asked: 0 };
      const empty = {
        stat: undefined,
        names: undefined,
        data: undefined,
        asking: undefined,
        listing: undefined,
      };
      entry = { path, ino: 0, ...never, ...empty };
      this.#entries.set(path, entry);
    }
    return entry;
  }

  #isFresh(at: number): boolean {
    return this.options.now() - at <= this.options.keepMillis();
  }

  /**
   * Invalidates a path that somebody else changed, and the folders above it that did not exist. If the
   * path was created or deleted, also everything below it and the folder that contains it.
   */
  changed(path: string, kind: number): void {
    for (const [known, entry] of this.#entries)
      if (known === path || (kind !== 1 && known.startsWith(`${path}/`))) this.invalidate(entry);
    for (let up = dirname(path); up !== '/'; up = dirname(up)) {
      const entry = this.#entries.get(up);
      if (entry === undefined) continue;
      const known = entry.stat !== undefined;
      if (kind !== 1 || !known) this.invalidate(entry);
      if (known) break;
    }
  }

  /** Marks an entry as old, so that it is asked for again. */
  invalidate(entry: Entry): void {
    entry.at = entry.namesAt = -Infinity;
    entry.asking = entry.listing = undefined;
    entry.changes++;
    this.setData(entry, undefined);
  }

  /** Forgets a path and everything below it. */
  forget(path: string): void {
    for (const [known, entry] of this.#entries) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      this.setData(entry, undefined);
      this.#entries.delete(known);
    }
  }

  /** Moves the entries of a path that was renamed: they stay the same files. */
  move(from: string, to: string): void {
    this.forget(to);
    for (const [known, entry] of [...this.#entries]) {
      if (known !== from && !known.startsWith(`${from}/`)) continue;
      this.#entries.delete(known);
      entry.path = to + known.slice(from.length);
      this.#entries.set(entry.path, entry);
    }
  }

  /** Returns the entry of a path. Asks the host if it is old or `now` is set. Throws if nothing is there. */
  async lookUp(path: string, now = false): Promise<Entry> {
    const entry = this.entry(path);
    if (now || !this.#isFresh(entry.at)) {
      const parent = this.#entries.get(dirname(path));
      const names = parent !== undefined && this.#isFresh(parent.namesAt) ? parent.names : undefined;
      if (!now && names?.has(basename(path)) === false) throw new FileError('ENOENT', path);
      if (!now && parent !== undefined && names !== undefined && ++parent.asked === 3)
        this.#askAhead(parent, names);
      await this.#ask(entry, now);
    }
    if (entry.stat === undefined) throw new FileError('ENOENT', path);
    return entry;
  }

  #askAhead(folder: Entry, names: ReadonlyMap<string, number>): void {
    for (const name of [...names.keys()].slice(0, mostAhead)) {
      const entry = this.entry(join(folder.path, name));
      if (!this.#isFresh(entry.at)) this.#ask(entry).catch(() => undefined); // whoever needs it asks again
    }
  }

  /** Reads the contents of folders before they are needed, so many levels down, without long files. */
  readAhead(folders: readonly (readonly [path: string, levels: number])[]): void {
    let left = mostAhead;
    const look = async (folder: string, levels: number): Promise<void> => {
      const names = await this.names(folder);
      const below = [...names.keys()].slice(0, Math.max(0, left));
      left -= below.length;
      await Promise.all(below.map((name) => read(join(folder, name), levels).catch(() => undefined)));
    };
    const read = async (path: string, levels: number): Promise<void> => {
      const entry = await this.lookUp(path);
      const { type, size } = entry.stat ?? { type: 0, size: 0 };
      if ((type & 2) === 0) await (size <= longestAhead && this.contents(entry));
      else if (levels > 1) await look(path, levels - 1);
    };
    for (const [path, levels] of folders) look(path, levels).catch(() => undefined); // whoever needs it asks again
  }

  #ask(entry: Entry, now = false): Promise<void> {
    if (now) entry.asking = undefined;
    entry.asking ??= this.#askNow(entry);
    return entry.asking;
  }

  async #askNow(entry: Entry): Promise<void> {
    const { changes } = entry;
    const started = this.options.now();
    let stat: HostStat | undefined;
    try {
      stat = await this.host.stat(entry.path);
    } catch (error) {
      const failure = fileError(error, entry.path);
      if (failure.code !== 'ENOENT') throw failure;
    } finally {
      if (entry.changes === changes) entry.asking = undefined;
    }
    this.setStat(entry, stat);
    entry.at = entry.changes === changes ? started : -Infinity;
  }

  /** Stores a stat. Another time or size means other contents, and another creation another file. */
  setStat(entry: Entry, stat: HostStat | undefined): void {
    const before = entry.stat;
    const reborn = before?.type !== stat?.type || before?.ctime !== stat?.ctime || entry.ino === 0;
    if (stat === undefined) entry.ino = 0;
    else if (reborn || (stat.ctime === 0 && stat.size < (before?.size ?? 0))) entry.ino = ++this.#inodes;
    if (before?.mtime !== stat?.mtime || before?.size !== stat?.size) this.setData(entry, undefined);
    entry.stat = stat;
  }

  /** Returns the names in a folder. */
  async names(path: string): Promise<ReadonlyMap<string, number>> {
    const entry = this.entry(path);
    if (entry.names === undefined || !this.#isFresh(entry.namesAt)) {
      entry.listing ??= this.#list(entry);
      await entry.listing;
    }
    return entry.names ?? new Map<string, number>();
  }

  async #list(entry: Entry): Promise<void> {
    const { changes } = entry;
    const started = this.options.now();
    try {
      entry.names = new Map(await this.host.readDirectory(entry.path));
    } catch (error) {
      throw fileError(error, entry.path);
    } finally {
      if (entry.changes === changes) entry.listing = undefined;
    }
    entry.namesAt = entry.changes === changes ? started : -Infinity;
    entry.asked = 0;
  }

  /** Returns the contents of a file as of its last stat. */
  async contents(entry: Entry): Promise<Uint8Array> {
    for (let tries = 0; entry.data === undefined && tries < 4; tries++) {
      const size = entry.stat?.size ?? 0;
      if (size > this.options.longest) throw new FileError('EFBIG', entry.path);
      const data = await this.read(entry.path);
      if (data.length !== entry.stat?.size) {
        await this.#ask(entry, true); // it changed between the stat and the read
        if (data.length !== entry.stat?.size) continue;
      }
      this.setData(entry, data);
    }
    if (entry.data === undefined) throw new FileError('EIO', entry.path);
    entry.usedAt = this.options.now();
    return entry.data;
  }

  async read(path: string): Promise<Uint8Array> {
    try {
      return await this.host.readFile(path);
    } catch (error) {
      throw fileError(error, path);
    }
  }

  /** Caches contents, and drops the least recently used ones if there are too many. */
  setData(entry: Entry, data: Uint8Array | undefined): void {
    this.#bytes += (data?.length ?? 0) - (entry.data?.length ?? 0);
    entry.data = data;
    if (this.#bytes <= this.options.mostCached) return;
    const held = [...this.#entries.values()].filter((other) => other !== entry && other.data !== undefined);
    for (const other of held.sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#bytes <= this.options.mostCached) return;
      this.setData(other, undefined);
    }
  }
}

export function dirname(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function join(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}
