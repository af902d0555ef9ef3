// A host with files in memory, as a provider of VS Code has them: no inodes, no appends.

import type { Host, HostStat } from '../../src/browser/host';

interface Node {
  readonly stat: { type: number; ctime: number; mtime: number; size: number };
  data: Uint8Array;
}

export class MemoryHost implements Host {
  readonly nodes = new Map<string, Node>();
  readonly calls: Record<string, number> = {};
  readonly #now: () => number;
  readonly #delay: () => Promise<void>;
  /** Told of changes, if the host reports any: 1 changed, 2 created, 3 deleted. */
  watch: ((path: string, kind: number) => void) | undefined;
  /** Called before a file is written, for a writer that comes between. */
  between: ((path: string) => void) | undefined;

  constructor(now: () => number = Date.now, delay: () => Promise<void> = () => Promise.resolve()) {
    this.#now = now;
    this.#delay = delay;
  }

  get count(): number {
    return Object.values(this.calls).reduce((sum, n) => sum + n, 0);
  }

  put(path: string, data: string | Uint8Array, mtime?: number): void {
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (parent !== '' && !this.nodes.has(parent)) this.folder(parent);
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    const made = this.nodes.get(path);
    const ctime = made?.stat.ctime ?? this.#now();
    const stat = { type: 1, ctime, mtime: mtime ?? this.#now(), size: bytes.length };
    this.nodes.set(path, { stat, data: new Uint8Array(bytes) });
    this.watch?.(path, made === undefined ? 2 : 1);
  }

  folder(path: string): void {
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (parent !== '' && !this.nodes.has(parent)) this.folder(parent);
    const now = this.#now();
    this.nodes.set(path, { stat: { type: 2, ctime: now, mtime: now, size: 0 }, data: new Uint8Array() });
    this.watch?.(path, 2);
  }

  text(path: string): string {
    return new TextDecoder().decode(this.#at(path).data);
  }

  #at(path: string): Node {
    const node =
      path === '/'
        ? { stat: { type: 2, ctime: 0, mtime: 0, size: 0 }, data: new Uint8Array() }
        : this.nodes.get(path);
    if (node === undefined) throw failure('FileNotFound');
    return node;
  }

  async #called(name: string): Promise<void> {
    this.calls[name] = (this.calls[name] ?? 0) + 1;
    await this.#delay();
  }

  async stat(path: string): Promise<HostStat> {
    await this.#called('stat');
    return { ...this.#at(path).stat };
  }

  async readDirectory(path: string): Promise<[string, number][]> {
    await this.#called('readDirectory');
    if (this.#at(path).stat.type !== 2) throw failure('FileNotADirectory');
    const under = path === '/' ? '/' : `${path}/`;
    return [...this.nodes]
      .filter(([name]) => name.startsWith(under) && !name.slice(under.length).includes('/'))
      .map(([name, { stat }]) => [name.slice(under.length), stat.type]);
  }

  async readFile(path: string): Promise<Uint8Array> {
    await this.#called('readFile');
    return this.#at(path).data.slice();
  }

  async writeFile(path: string, data: Uint8Array): Promise<void> {
    await this.#called('writeFile');
    this.between?.(path);
    this.put(path, data);
  }

  async delete(path: string): Promise<void> {
    await this.#called('delete');
    this.#at(path);
    this.nodes.delete(path);
    this.watch?.(path, 3);
  }

  async rename(from: string, to: string, overwrite: boolean): Promise<void> {
    await this.#called('rename');
    this.#at(from);
    if (!overwrite && this.nodes.has(to)) throw failure('FileExists');
    for (const [name, node] of [...this.nodes]) {
      if (name !== from && !name.startsWith(`${from}/`)) continue;
      this.nodes.delete(name);
      this.nodes.set(to + name.slice(from.length), node);
    }
    this.watch?.(from, 3);
    this.watch?.(to, 2);
  }

  async copy(from: string, to: string): Promise<void> {
    await this.#called('copy');
    if (this.nodes.has(to)) throw failure('FileExists');
    this.put(to, this.#at(from).data);
  }

  async createDirectory(path: string): Promise<void> {
    await this.#called('createDirectory');
    this.folder(path);
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
