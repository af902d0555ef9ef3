// The file system of the Go program: the functions of Node's fs that Go's syscall package calls
// (syscall/fs_js.go), over the host's asynchronous files. Files are read and written whole.

import { basename, Cache, dirname, fileError, FileError, type CacheOptions, type Entry } from './cache';
import type { Host, HostStat } from './host';

const constants = {
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_TRUNC: 512,
  O_APPEND: 1024,
  O_DIRECTORY: 65536,
};
const access = 3;
const kinds = { file: 0x8000, folder: 0x4000, link: 0xa000 };
const isFolder = ({ type }: HostStat): boolean => (type & 2) !== 0;

/** The contents of a file that is open for writing. */
interface Draft {
  bytes: Uint8Array;
  /** The contents that are overwritten, or undefined for a new file. */
  before: Uint8Array | undefined;
  /** Set if the file is only appended to. */
  readonly appends: boolean;
  dirty: boolean;
}

interface Open {
  readonly entry: Entry;
  readonly flags: number;
  position: number;
  draft: Draft | undefined;
}

export interface Options extends CacheOptions {
  /** Reports whether nobody else writes below a path. */
  readonly isOwn: (path: string) => boolean;
  readonly sleep: (millis: number) => Promise<void>;
  readonly random: () => string;
}

/** How long a log must stay unchanged before it is appended to, in ms. */
const settleMillis = 20;

type Callback = (error: FileError | null, value?: unknown) => void;

export class Files {
  readonly cache: Cache;
  readonly #open = new Map<number, Open>();
  #next = 10;
  /** The drafts of paths that are being written. This program sees a draft's size as the file's. */
  readonly #drafts = new Map<string, Draft>();
  readonly #turns = new Map<string, Promise<unknown>>();

  readonly host: Host;
  readonly options: Options;

  constructor(host: Host, options: Options) {
    this.host = host;
    this.options = options;
    this.cache = new Cache(host, options);
  }

  /** Returns the functions as Go calls them, each with a callback as its last argument. */
  functions(): Record<string, unknown> {
    const call =
      (name: string, run: (...args: never[]) => unknown) =>
      (...args: unknown[]): void => {
        const callback = args.pop() as Callback;
        const path = typeof args[0] === 'string' ? args[0] : name;
        Promise.resolve()
          .then((): unknown => run(...(args as never[])))
          .then(
            (value) => callback(null, value),
            (error: unknown) => callback(fileError(error, path)),
          );
      };
    const none = (): void => undefined;
    const unsupported = (path: string): never => {
      throw new FileError('ENOSYS', path);
    };
    const operations: Record<string, (...args: never[]) => unknown> = {
      open: (path: string, flags: number) => this.#openPath(normal(path), flags),
      close: (fd: number) => this.#close(fd),
      read: (fd: number, into: Uint8Array, offset: number, length: number, position: number | null) =>
        this.#read(fd, into, offset, length, position),
      write: (fd: number, from: Uint8Array, offset: number, length: number, position: number | null) =>
        this.#write(fd, from.slice(offset, offset + length), position),
      fsync: (fd: number) => this.#flush(this.#of(fd)),
      ftruncate: (fd: number, length: number) => this.#truncate(this.#of(fd), length),
      truncate: async (path: string, length: number) => {
        const fd = await this.#openPath(normal(path), constants.O_RDWR);
        await this.#truncate(this.#of(fd), length);
        await this.#close(fd);
      },
      fstat: async (fd: number) => this.#stat((await this.#current(this.#of(fd))).path, true),
      stat: (path: string) => this.#stat(normal(path), true),
      lstat: (path: string) => this.#stat(normal(path), false),
      readdir: async (path: string) => [...(await this.cache.names(normal(path))).keys()],
      mkdir: (path: string) => this.#makeFolder(normal(path)),
      rmdir: (path: string) => this.#remove(normal(path), true),
      unlink: (path: string) => this.#remove(normal(path), false),
      rename: (from: string, to: string) => this.#rename(normal(from), normal(to)),
      link: (from: string, to: string) => this.#copy(normal(from), normal(to)),
      readlink: async (path: string) => {
        await this.cache.lookUp(normal(path));
        throw new FileError('EINVAL', path);
      },
      ...{ symlink: unsupported, utimes: unsupported },
      ...{ chmod: none, fchmod: none, chown: none, fchown: none, lchown: none },
    };
    const functions: Record<string, unknown> = { constants };
    for (const [name, run] of Object.entries(operations)) functions[name] = call(name, run);
    return functions;
  }

  #of(fd: number): Open {
    const open = this.#open.get(fd);
    if (open === undefined) throw new FileError('EBADF', String(fd));
    return open;
  }

  /** Runs the changes of a path one after another. */
  async #inTurn<T>(path: string, run: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(path) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(run);
    this.#turns.set(path, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(path) === mine) this.#turns.delete(path);
    }
  }

  async #openPath(path: string, flags: number): Promise<number> {
    const writes = (flags & access) !== 0;
    const makes = (flags & constants.O_CREAT) !== 0;
    const appends = (flags & constants.O_APPEND) !== 0;
    let draft = writes ? this.#drafts.get(path) : undefined;
    let entry = this.cache.entry(path);
    try {
      if (draft === undefined) entry = await this.cache.lookUp(path, makes);
      if (makes && (flags & constants.O_EXCL) !== 0) throw new FileError('EEXIST', path);
    } catch (error) {
      if (!makes || fileError(error, path).code !== 'ENOENT') throw error;
      const folder = await this.cache.lookUp(dirname(path));
      if (folder.stat !== undefined && !isFolder(folder.stat)) throw new FileError('ENOTDIR', path);
      draft = { bytes: new Uint8Array(), before: undefined, appends, dirty: true };
      this.#drafts.set(path, draft);
    }
    const folder = entry.stat !== undefined && isFolder(entry.stat);
    if (folder && writes) throw new FileError('EISDIR', path);
    if (!folder && (flags & constants.O_DIRECTORY) !== 0) throw new FileError('ENOTDIR', path);
    const fd = this.#next++;
    const open: Open = { entry, flags, position: 0, draft };
    this.#open.set(fd, open);
    if (writes && (flags & constants.O_TRUNC) !== 0 && draft === undefined) await this.#truncate(open, 0);
    return fd;
  }

  async #close(fd: number): Promise<void> {
    const open = this.#of(fd);
    this.#open.delete(fd);
    await this.#flush(open);
    if (![...this.#open.values()].some(({ draft }) => draft === open.draft))
      this.#drafts.delete(open.entry.path);
  }

  async #read(
    fd: number,
    into: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<number> {
    const open = this.#of(fd);
    const { entry } = open;
    if (entry.stat !== undefined && isFolder(entry.stat)) throw new FileError('EISDIR', entry.path);
    const bytes = this.#drafts.get(entry.path)?.bytes ?? (await this.cache.contents(entry));
    const part = bytes.subarray(position ?? open.position).subarray(0, length);
    into.set(part, offset);
    if (position === null) open.position += part.length;
    return part.length;
  }

  /** Returns the draft of an open file, and makes it from the current contents if there is none. */
  async #drafted(open: Open): Promise<Draft> {
    if ((open.flags & access) === 0) throw new FileError('EBADF', open.entry.path);
    const appends = (open.flags & constants.O_APPEND) !== 0;
    open.draft ??= this.#drafts.get(open.entry.path);
    if (open.draft === undefined || (appends && !open.draft.dirty)) {
      const before = await this.cache.contents(await this.cache.lookUp(open.entry.path, true));
      open.draft = { bytes: before, before, appends, dirty: false };
      this.#drafts.set(open.entry.path, open.draft);
    }
    return open.draft;
  }

  #write(fd: number, bytes: Uint8Array, position: number | null): Promise<number> {
    const open = this.#of(fd);
    return this.#inTurn(open.entry.path, async () => {
      const draft = await this.#drafted(open);
      const at = draft.appends ? draft.bytes.length : (position ?? open.position);
      const all = new Uint8Array(Math.max(draft.bytes.length, at + bytes.length));
      all.set(draft.bytes);
      all.set(bytes, at);
      draft.bytes = all;
      draft.dirty = true;
      if (position === null) open.position = at + bytes.length;
      if (draft.appends) await this.#save(open, draft); // an append is written now, or fails now
      return bytes.length;
    });
  }

  #truncate(open: Open, length: number): Promise<void> {
    return this.#inTurn(open.entry.path, async () => {
      const draft = await this.#drafted(open);
      const all = new Uint8Array(length);
      all.set(draft.bytes.subarray(0, length));
      draft.bytes = all;
      draft.dirty = true;
    });
  }

  async #flush(open: Open): Promise<void> {
    const { draft } = open;
    if (draft?.dirty === true) await this.#inTurn(open.entry.path, () => this.#save(open, draft));
  }

  /**
   * Writes a draft. Providers have no locks, and another browser or program may write at the same
   * time. So the file must still contain what was read, and a moment later it must contain what was
   * written. Otherwise the write fails, so that nothing that may be lost counts as written.
   */
  async #save(open: Open, draft: Draft): Promise<void> {
    if (!draft.dirty) return;
    const { path } = open.entry;
    const { before, bytes } = draft;
    const own = this.options.isOwn(path);
    const current = (): Promise<Uint8Array> => this.cache.read(path);
    const started = this.options.now();
    try {
      if (before === undefined && !own) await this.#create(path, bytes);
      else {
        // Another writer may have emptied the file to overwrite it, so read it again after a moment.
        if (!own && draft.appends) await this.options.sleep(settleMillis);
        if (!own && !same(await current(), before)) throw new FileError('ESTALE', path);
        await this.host.writeFile(path, bytes);
      }
      for (let tries = 0; !own && tries < 4; tries++) {
        await this.options.sleep(Math.max(50, 2 * (this.options.now() - started)));
        const there = await current();
        if (!(draft.appends ? holds(there, bytes, before?.length ?? 0) : same(there, bytes)))
          throw new FileError('ESTALE', path);
        const whole = draft.appends ? withoutFragment(path, there, bytes.length) : there;
        if (whole === there) break;
        if (same(await current(), there)) await this.host.writeFile(path, whole);
      }
    } catch (error) {
      draft.dirty = false; // closing the file must not try it again
      this.#drafts.delete(path);
      this.cache.changed(path, 2);
      throw fileError(error, path);
    }
    draft.dirty = false;
    draft.before = draft.bytes;
    this.#drafts.delete(path);
    const entry = this.cache.entry(path);
    const made = entry.stat === undefined;
    if (made) this.cache.changed(path, 2);
    const { ino } = entry;
    await this.cache.lookUp(path, true);
    if (!made) entry.ino = ino;
    if (entry.stat?.size === draft.bytes.length) this.cache.setData(entry, draft.bytes);
  }

  /** Makes a file unless it exists. For that, providers only have renaming without overwriting. */
  async #create(path: string, bytes: Uint8Array): Promise<void> {
    const part = `${dirname(path)}/.${basename(path)}.${this.options.random()}.part`;
    await this.host.writeFile(part, bytes);
    try {
      await this.host.rename(part, path, false);
    } catch (error) {
      await this.host.delete(part).catch(() => undefined);
      throw error;
    }
  }

  async #current(open: Open): Promise<Entry> {
    const { path } = open.entry;
    if (!this.#drafts.has(path)) await this.cache.lookUp(path);
    return this.cache.entry(path);
  }

  async #stat(path: string, follow: boolean): Promise<Record<string, unknown>> {
    const draft = this.#drafts.get(path);
    const entry = draft === undefined ? await this.cache.lookUp(path) : this.cache.entry(path);
    const made: HostStat = { type: 1, ctime: 0, mtime: Math.trunc(this.options.now()), size: 0 };
    const { type, mtime, permissions, size } = entry.stat ?? made;
    const folder = (type & 2) !== 0;
    const kind = !follow && (type & 64) !== 0 ? kinds.link : folder ? kinds.folder : kinds.file;
    const locked = ((permissions ?? 0) & 1) !== 0;
    const mode = kind | (folder ? (locked ? 0o500 : 0o700) : locked ? 0o400 : 0o600);
    const times = { atimeMs: mtime, mtimeMs: mtime, ctimeMs: mtime };
    const bytes = draft?.bytes.length ?? size;
    const numbers = { dev: 1, ino: entry.ino, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096 };
    return {
      ...numbers,
      ...times,
      mode,
      size: bytes,
      blocks: Math.ceil(bytes / 512),
      isDirectory: () => kind === kinds.folder,
    };
  }

  async #makeFolder(path: string): Promise<void> {
    const there = await this.cache.lookUp(path, true).catch(() => undefined);
    if (there !== undefined) throw new FileError('EEXIST', path);
    await this.cache.lookUp(dirname(path));
    await this.host.createDirectory(path);
    this.cache.changed(path, 2);
  }

  async #remove(path: string, folder: boolean): Promise<void> {
    const { stat } = await this.cache.lookUp(path, true);
    if (stat !== undefined && isFolder(stat) !== folder && (stat.type & 64) === 0)
      throw new FileError(folder ? 'ENOTDIR' : 'EISDIR', path);
    if (folder && (await this.host.readDirectory(path)).length > 0) throw new FileError('ENOTEMPTY', path);
    await this.host.delete(path);
    this.cache.forget(path);
    this.cache.changed(path, 3);
  }

  async #rename(from: string, to: string): Promise<void> {
    for (const open of this.#open.values()) if (open.entry.path === from) await this.#flush(open);
    await this.cache.lookUp(from);
    await this.host.rename(from, to, true);
    this.cache.move(from, to);
    this.cache.changed(from, 3);
    const entry = this.cache.entry(to);
    const { ino, data } = entry;
    this.cache.changed(to, 2);
    await this.cache.lookUp(to, true);
    entry.ino = ino; // its times may be new, but it is the same file
    if (data !== undefined && entry.stat?.size === data.length) this.cache.setData(entry, data);
  }

  async #copy(from: string, to: string): Promise<void> {
    await this.cache.lookUp(from);
    await this.host.copy(from, to);
    this.cache.changed(to, 2);
  }
}

function same(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return a.length === b?.length && a.every((byte, at) => byte === b[at]);
}

/** Reports whether a file contains the bytes that were appended, at their place or further up. */
function holds(file: Uint8Array, written: Uint8Array, before: number): boolean {
  if (same(file.subarray(0, written.length), written)) return true;
  const plain = new TextDecoder('latin1');
  return plain.decode(file).includes(`\n${plain.decode(written.subarray(before))}`);
}

/**
 * Returns a log without the line at an offset, if that line is only the end of a record. When two
 * writers overwrite the file at once and the last of them writes less, the end of the other's
 * record remains. Any other line is somebody's record, and stays.
 */
function withoutFragment(path: string, file: Uint8Array, at: number): Uint8Array {
  const end = file.indexOf(0x0a, at) + 1;
  if (!path.endsWith('.jsonl') || end === 0) return file;
  const line = new TextDecoder().decode(file.subarray(at, end)).trim();
  if (line !== '' && !line.endsWith('}')) return file;
  try {
    JSON.parse(line);
    return file;
  } catch {
    // It is the end of a record.
  }
  const whole = new Uint8Array(file.length - (end - at));
  whole.set(file.subarray(0, at));
  whole.set(file.subarray(end), at);
  return whole;
}

/** Returns an absolute path without empty, "." and ".." parts. */
export function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
