// Builds the package and its tests, writes a transcript of what the native core
// answers, and runs the tests over it.
//
//   npm test [-- --random=20000] [--without=name-of-test] [name-of-test ...]
//
// SIGNALBOX_WASM      the module under test; default: bin/signalbox.wasm of the repository
// SIGNALBOX_CHROMIUM  the browser; default: /usr/bin/chromium
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const repo = join(root, '../..');
const { values, positionals } = parseArgs({
  options: { random: { type: 'string', default: '2000' }, without: { type: 'string' } },
  allowPositionals: true,
});
const module = process.env.SIGNALBOX_WASM ?? join(repo, 'bin/signalbox.wasm');
if (!existsSync(module)) throw new Error(`${module} is not there: run "make wasm" first`);

rmSync(join(root, 'dist-test'), { recursive: true, force: true });
run(root, 'npx', ['tsc', '-p', '.']);
run(root, 'npx', ['tsc', '-p', 'test']);
const folder = mkdtempSync(join(tmpdir(), 'signalbox-transcript-'));
try {
  const transcript = join(folder, 'transcript');
  run(repo, 'go', ['run', './wasm/conformance/transcript', `-random=${values.random}`, transcript]);
  const tests = readdirSync(join(root, 'dist-test'))
    .filter((name) => name.endsWith('.test.js'))
    .filter((name) => values.without === undefined || !name.includes(values.without))
    .filter((name) => positionals.length === 0 || positionals.some((part) => name.includes(part)))
    .map((name) => join(root, 'dist-test', name));
  if (tests.length === 0) throw new Error(`no test matches ${positionals.join(' ')}`);
  run(root, process.execPath, ['--enable-source-maps', '--test', '--test-timeout=600000', ...tests], {
    SIGNALBOX_WASM: module,
    SIGNALBOX_TRANSCRIPT: transcript,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a program; one that fails ends this one with its status, once the folder is gone. */
function run(cwd, program, args, env = {}) {
  if (process.exitCode !== undefined) return;
  const { status, error } = spawnSync(program, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exitCode = status ?? 1;
}
