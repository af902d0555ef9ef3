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
      entryPoints: [`src/webview/${view}/${view}.ts`],
      outfile: `dist/${view}.js`,
      platform: 'browser',
      format: 'iife',
      target: 'es2022',
    },
    { ...common, entryPoints: [`src/webview/${view}/${view}.css`], outfile: `dist/${view}.css` },
  ]),
];

const source = (name) => join(root, 'src', name);

/** In a browser the server runs in a Worker, and src/browser/node.ts replaces the modules of Node. */
const inBrowser = {
  name: 'in a browser',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, () => ({ path: source('browser/node.ts') }));
    build.onResolve({ filter: /^\.\/process$/ }, ({ importer }) =>
      importer.startsWith(source('server')) ? { path: source('browser/process.ts') } : undefined,
    );
    build.onResolve({ filter: /^vscode-languageclient\/node$/ }, ({ resolveDir, kind }) =>
      build.resolve('vscode-languageclient/browser', { resolveDir, kind }),
    );
  },
};

const browser = {
  ...common,
  platform: 'browser',
  target: 'es2022',
  mainFields: ['browser', 'module', 'main'],
};
const web = [
  {
    ...browser,
    entryPoints: ['src/browser/extension.ts'],
    outfile: 'dist/browser/extension.js',
    format: 'cjs',
    external: ['vscode'],
    plugins: [inBrowser],
    define: {
      'process.platform': '"browser"',
      'process.pid': '0',
      'process.env': '{}',
      'process.arch': '""',
    },
  },
  {
    ...browser,
    entryPoints: ['src/browser/workerMain.ts'],
    outfile: 'dist/browser/worker.js',
    format: 'iife',
  },
];
const pages = desktop.slice(1);

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
  for (const options of forWeb ? [...web, ...pages] : desktop) {
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
