// Runs the tests in a real VS Code, two files at a time: tests mostly wait for the
// editor. The largest files come first, so that both lanes end at about the same time.
// A file that fails runs once more at the end, alone, to tell a fault that is always
// there from one that comes by chance. Both are faults: the run has failed. Name one
// file to get printed times that mean something.
//
//   npm run e2e [-- [--without=name-of-test] name-of-test ...]
//
// SIGNALBOX_BIN       the server under test; default: bin/signalbox of the repository
// SIGNALBOX_E2E_FAKE  1: use the fake server instead
// SIGNALBOX_E2E_HOST  newest (default) or oldest VS Code
// SIGNALBOX_CHROMIUM  the browser; default: /usr/bin/chromium
// SIGNALBOX_CACHE     where VS Code is installed; default: .cache of the repository
// SIGNALBOX_SHOTS     where screenshots go; default: extension/dist-test/shots
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Editor } from './editor.mjs';
import { ensureHost } from './host.mjs';
import { packageExtension } from './scene.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals: wanted } = parseArgs({
  options: { without: { type: 'string' } },
  allowPositionals: true,
});
const tests = readdirSync(here)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => values.without === undefined || !name.includes(values.without))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .map((name) => join(here, name))
  .sort((a, b) => statSync(b).size - statSync(a).size);
if (tests.length === 0) throw new Error(`e2e: no test matches ${wanted.join(' ')}`);
const names = (files) => files.map((file) => basename(file, '.test.mjs')).join(' ');
const host = await ensureHost(process.env.SIGNALBOX_E2E_HOST ?? 'newest');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-e2e-installed-'));
try {
  const extensions = await new Editor(host, folder).install(packageExtension(folder));
  const env = { ...process.env, SIGNALBOX_E2E_EXTENSIONS: extensions };
  const failed = await failing(tests, 2, env);
  if (failed.length > 0) console.log(`e2e: once more, for the report alone: ${names(failed)}`);
  const always = await failing(failed, 1, env);
  const chance = failed.filter((file) => !always.includes(file));
  console.log(
    `e2e: ${tests.length - failed.length} of ${tests.length} files passed` +
      (always.length > 0 ? `; failed twice: ${names(always)}` : '') +
      (chance.length > 0 ? `; failed, and not when run again: ${names(chance)}` : ''),
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs files, so many at a time, and returns those that failed. */
async function failing(files, atOnce, env) {
  const failed = new Set();
  const left = [...files];
  const lane = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      // The outputs of two files are not mixed.
      const child = spawn(process.execPath, ['--test', '--test-timeout=600000', file], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      });
      const printed = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => printed.push(part));
      const [code] = await once(child, 'close');
      process.stdout.write(Buffer.concat(printed));
      if (code !== 0) failed.add(file);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return files.filter((file) => failed.has(file));
}
