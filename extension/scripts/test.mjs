// Bundles every *.test.ts in test/, or only those with a word in their name, and runs them with
// node:test. The modules under test do not import vscode, so no editor is needed. The tests of the
// server for browsers run on bin/signalbox-browser.wasm.gz beside bin/signalbox.
import * as esbuild from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist-test', 'unit');
const [wanted = ''] = process.argv.slice(2);
const tests = readdirSync(join(root, 'test'), { recursive: true }).filter(
  (name) => name.endsWith('.test.ts') && name.includes(wanted),
);
rmSync(out, { recursive: true, force: true });
await esbuild.build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(tests.map((name) => [bundleOf(name), join('test', name)])),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  external: ['playwright-core'],
  logLevel: 'warning',
});
// The Worker is tested as it is shipped.
await bundle(true);
const files = tests.map((name) => join(out, `${bundleOf(name)}.mjs`));
const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;

/** All bundles are in one folder: tests find the repository from there. */
function bundleOf(test) {
  return test.replace(/[/\\]/g, '-').replace(/\.ts$/, '');
}
