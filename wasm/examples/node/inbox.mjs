// Prints a reader's inbox out of the logs of a SAMP directory.
//
//   node inbox.mjs signalbox.wasm directory reader
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from '@signalbox/core';

const [module, directory, me] = process.argv.slice(2);
const core = await load(await readFile(module));
const names = (await readdir(directory)).filter((name) => /^log-.*\.jsonl$/.test(name));
const logs = await Promise.all(
  names.map(async (name) => ({ name, data: await readFile(join(directory, name)) })),
);
for (const { id, from, body } of core.samp.inbox({ me, mode: 'all', logs }).messages) {
  console.log(`${id} ${quoted(from)}: ${quoted(body)}`);
}

/** A stranger's text, with all that moves a cursor or turns the direction as an escape. */
function quoted(text) {
  const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
  return JSON.stringify(text).replace(hidden, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
