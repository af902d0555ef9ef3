// What the tests share: the module under test, and the repository's fixtures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, SignalboxError } from '@signalbox/core';
import type { Code, Core, Options } from '@signalbox/core';

/** The repository. */
export const repo = join(fileURLToPath(import.meta.url), '../../../..');

/** The module's file. */
export const moduleFile = process.env['SIGNALBOX_WASM'] ?? join(repo, 'bin/signalbox.wasm');

/** The module's bytes. */
export const moduleBytes: Uint8Array<ArrayBuffer> = Uint8Array.from(readFileSync(moduleFile));

/** A fixture's bytes. */
export function fixture(name: string): Uint8Array {
  return readFileSync(join(repo, 'testdata', name));
}

/** A core of the module under test. */
export function open(options?: Options): Promise<Core> {
  return load(moduleBytes, options);
}

/** What assert.throws and assert.rejects take to expect an error. */
export function coded(code: Code, message?: RegExp, rule?: string): (error: unknown) => true {
  return (error) => {
    if (!(error instanceof SignalboxError)) throw error;
    const right = error.code === code && (message?.test(error.message) ?? true);
    if (!right || (rule !== undefined && error.rule !== rule)) throw error;
    return true;
  };
}
