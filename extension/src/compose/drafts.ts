// Drafts on disk: a file with the text, and one with facts that are not in the text (the
// message it answers, the last attempt to send). They are in the extension's own storage,
// never in the message directory.

import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attempt } from './draft';
import type { Ref } from '../protocol';

/** The facts about a draft that are not in its text. */
export interface DraftFacts {
  readonly name: string;
  readonly replyTo?: Ref;
  /** The thread that the draft answers. */
  readonly thread?: Ref;
  readonly attempt?: Attempt;
}

export interface SavedDraft {
  readonly id: string;
  readonly facts: DraftFacts;
  readonly text: string;
  /** Unix milliseconds. */
  readonly changed: number;
}

const idShape = /^[0-9a-f-]{8,40}$/;

/** The drafts in one folder. Their ids, made by the extension, are checked before use in a path. */
export class DraftStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async create(id: string, facts: DraftFacts, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.setFacts(id, facts);
    await this.setText(id, text);
  }

  async text(id: string): Promise<string> {
    return readFile(this.#path(id, 'txt'), 'utf8');
  }

  async setText(id: string, text: string): Promise<void> {
    await this.#replace(this.#path(id, 'txt'), text);
  }

  /** Returns a draft's facts, or empty facts if their file cannot be read. */
  async facts(id: string): Promise<DraftFacts> {
    try {
      return JSON.parse(await readFile(this.#path(id, 'json'), 'utf8')) as DraftFacts;
    } catch {
      return { name: '' };
    }
  }

  async setFacts(id: string, facts: DraftFacts): Promise<void> {
    await this.#replace(this.#path(id, 'json'), JSON.stringify(facts));
  }

  /** Returns when the text was created and last changed, and its size in bytes. */
  async stat(
    id: string,
  ): Promise<{ readonly changed: number; readonly created: number; readonly size: number }> {
    const facts = await stat(this.#path(id, 'txt'));
    return { changed: facts.mtimeMs, created: facts.birthtimeMs, size: facts.size };
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id, 'txt'), { force: true });
    await rm(this.#path(id, 'json'), { force: true });
  }

  /** Returns all drafts, newest first. */
  async list(): Promise<readonly SavedDraft[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names.filter((name) => name.endsWith('.txt')).map((name) => name.slice(0, -'.txt'.length));
    const drafts = await Promise.all(
      ids
        .filter((id) => idShape.test(id))
        .map(async (id) => {
          const [facts, text, { changed }] = await Promise.all([
            this.facts(id),
            this.text(id),
            this.stat(id),
          ]);
          return { id, facts, text, changed };
        }),
    );
    return drafts.sort((a, b) => b.changed - a.changed);
  }

  #path(id: string, kind: 'txt' | 'json'): string {
    if (!idShape.test(id)) throw new Error(`drafts: ${JSON.stringify(id)} is no draft id`);
    return join(this.#folder, `${id}.${kind}`);
  }

  /**
   * Writes a temporary file and renames it, so a crash leaves the old content or the new. Each
   * window is a process and has its own temporary file.
   */
  async #replace(path: string, content: string): Promise<void> {
    const part = `${path}.${process.pid}.part`;
    await writeFile(part, content, { mode: 0o600 });
    await rename(part, path);
  }
}
