// Bundles into dist/: the extension (CommonJS), the script and style sheet of each
// page, the extension for browsers with its worker, and the schemas for VS Code's
// completion.
//
// bundle(forWeb) bundles one of the two; run directly, this bundles everything.
import * as esbuild from 'esbuild';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { lenient } from './lenient.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const watch = process.argv.includes('--watch');
const common = { bundle: true, absWorkingDir: root, logLevel: 'warning', minify: !watch, sourcemap: watch };

const desktop = [
  {
    ...common,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    mainFields: ['module', 'main'],
  },
  ...['thread', 'task', 'doctor', 'needs', 'agents'].flatMap((view) => [
    {
      ...common,
      entryPoints: [`src/webview/${view}.ts`],
      outfile: `dist/${view}.js`,
      platform: 'browser',
      format: 'iife',
      target: 'es2022',
    },
    { ...common, entryPoints: [`src/webview/${view}.css`], outfile: `dist/${view}.css` },
  ]),
];

// A Node module in one of these is an error of the bundler.
const browser = { ...common, platform: 'browser', target: 'es2022' };
const web = [
  {
    ...browser,
    entryPoints: ['src/web/extension.ts'],
    outfile: 'dist/web/extension.js',
    format: 'cjs',
    external: ['vscode'],
  },
  { ...browser, entryPoints: ['src/web/worker.ts'], outfile: 'dist/web/worker.js', format: 'iife' },
  {
    ...browser,
    entryPoints: ['src/browser/workerMain.ts'],
    outfile: 'dist/browser/worker.js',
    format: 'iife',
  },
];

async function writeSchemas() {
  await mkdir(join(root, 'dist', 'schemas'), { recursive: true });
  for (const name of await readdir(join(root, 'schemas'))) {
    const strict = JSON.parse(await readFile(join(root, 'schemas', name), 'utf8'));
    await writeFile(join(root, 'dist', 'schemas', name), JSON.stringify(lenient(strict)));
  }
}

/** Bundles the extension for browsers, or for all other hosts. */
export async function bundle(forWeb) {
  await writeSchemas();
  for (const options of forWeb ? web : desktop) {
    if (watch) await (await esbuild.context(options)).watch();
    else await esbuild.build(options);
  }
}

/** Returns the source files of the bundles, relative to the extension's folder. It writes nothing. */
export async function bundledFiles() {
  const files = new Set();
  for (const options of [...desktop, ...web]) {
    const { metafile } = await esbuild.build({ ...options, write: false, metafile: true });
    for (const file of Object.keys(metafile.inputs)) files.add(file);
  }
  return [...files].sort();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await bundle(false);
  await bundle(true);
}
