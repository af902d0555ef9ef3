// Runs the tests in a real VS Code, one after the other. A file that fails runs
// once more at the end, and its first failure stays in the output: an editor and
// a browser on a busy machine drop a key or a click now and then.
//
//   npm run e2e [-- name-of-test ...]
//
// SIGNALBOX_BIN       the server under test; default: bin/signalbox of the repository
// SIGNALBOX_E2E_FAKE  1: use the fake server instead
// SIGNALBOX_E2E_HOST  newest (default) or oldest VS Code
// SIGNALBOX_CHROMIUM  the browser; default: /usr/bin/chromium
// SIGNALBOX_CACHE     where VS Code is installed; default: .cache of the repository
// SIGNALBOX_SHOTS     where screenshots go; default: extension/dist-test/shots
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Editor } from './editor.mjs';
import { ensureHost } from './host.mjs';
import { packageExtension } from './scene.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const tests = readdirSync(here)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .map((name) => join(here, name));
if (tests.length === 0) throw new Error(`e2e: no test matches ${wanted.join(' ')}`);
const names = (files) => files.map((file) => basename(file, '.test.mjs')).join(' ');
const host = await ensureHost(process.env.SIGNALBOX_E2E_HOST ?? 'newest');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-e2e-installed-'));
try {
  const extensions = await new Editor(host, folder).install(packageExtension(folder));
  const env = { ...process.env, SIGNALBOX_E2E_EXTENSIONS: extensions };
  // Tests run in sequence: each has an editor and a browser, and times are measured.
  const fails = (file) =>
    spawnSync(process.execPath, ['--test', '--test-timeout=600000', file], { stdio: 'inherit', env })
      .status !== 0;
  const again = tests.filter(fails);
  if (again.length > 0) console.log(`e2e: once more: ${names(again)}`);
  const failed = again.filter(fails);
  console.log(
    `e2e: ${tests.length - failed.length} of ${tests.length} files passed` +
      (again.length > failed.length ? `, ${again.length - failed.length} only when run again` : '') +
      (failed.length > 0 ? `; failed: ${names(failed)}` : ''),
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
