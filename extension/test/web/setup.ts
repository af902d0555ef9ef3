// What the tests of the web extension share: the core in Node, and files in
// memory.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '@signalbox/core';
import { localCalls } from '../../src/web/calls';
import type { Desk, Files, L10n, Memo } from '../../src/web/model';

// The tests run as bundles in extension/dist-test/unit.
const repository = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** A file or folder of the repository. */
export function inRepository(...names: readonly string[]): string {
  return join(repository, ...names);
}

/** A file of testdata. */
export function fixture(name: string): Buffer {
  return readFileSync(inRepository('testdata', name));
}

const wasm = process.env['SIGNALBOX_WASM'] ?? inRepository('bin/signalbox.wasm');
const core = load(readFileSync(wasm));

/** The fixtures' names for folders that git and other tools would otherwise act on. */
const renamed = /(^|\/)dot-/g;

/** A workspace in memory. */
export class Workspace implements Files, Memo {
  readonly files: Map<string, Uint8Array>;
  /** How often each file was read. */
  readonly reads = new Map<string, number>();
  readonly #made = new Map<string, Promise<unknown>>();

  constructor(files: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.files = new Map(files);
  }

  /** Adds a folder of the repository's testdata, as the folder with this path. */
  addFolder(folder: string, path: string): this {
    const from = inRepository('testdata', folder);
    for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const name = relative(from, file).replaceAll('\\', '/').replace(renamed, '$1.');
      this.files.set(`${path}/${name}`, readFileSync(file));
    }
    return this;
  }

  add(path: string, content: string | Uint8Array): this {
    this.files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
    return this;
  }

  read(path: string, most: number): Promise<Uint8Array | number | undefined> {
    this.reads.set(path, (this.reads.get(path) ?? 0) + 1);
    const data = this.files.get(path);
    return Promise.resolve(data !== undefined && data.length > most ? data.length : data);
  }

  list(folder: string): Promise<readonly string[]> {
    const below = [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
    const names = below.map((path) => path.slice(folder.length + 1));
    return Promise.resolve(names.filter((name) => !name.includes('/')));
  }

  label(path: string): string {
    return path.replace(/^\d+\/?/, '') || 'project';
  }

  of<T>(path: string, what: string, make: () => Promise<T>): Promise<T> {
    const key = `${path}\n${what}`;
    const made = (this.#made.get(key) as Promise<T> | undefined) ?? make();
    this.#made.set(key, made);
    return made;
  }
}

/** Fills in arguments like vscode.l10n, without translating. */
export const l10n: L10n = {
  t: (message: unknown, ...args: readonly unknown[]) =>
    String(message).replace(/\{(\d+)\}/g, (_, number: string) => String(args[Number(number)])),
};

/** What the modules of the formats work with, at a moment in Unix milliseconds. */
export async function deskOf(workspace: Workspace, now = Date.UTC(2026, 10, 22)): Promise<Desk> {
  const calls = localCalls(await core, () => Promise.resolve());
  return { calls, files: workspace, memo: workspace, l10n, now: () => now, profile: 'v1' };
}
