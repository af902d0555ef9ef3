// Runs the tests in a real VS Code, one after the other.
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
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureHost } from './host.mjs';
import { packageExtension } from './scene.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const tests = readdirSync(here)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .map((name) => join(here, name));
if (tests.length === 0) throw new Error(`e2e: no test matches ${wanted.join(' ')}`);
await ensureHost(process.env.SIGNALBOX_E2E_HOST ?? 'newest');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-e2e-vsix-'));
try {
  const env = { ...process.env, SIGNALBOX_E2E_VSIX: packageExtension(folder) };
  // Tests run in sequence: each has an editor and a browser, and times are measured.
  const args = ['--test', '--test-concurrency=1', '--test-timeout=600000', ...tests];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
