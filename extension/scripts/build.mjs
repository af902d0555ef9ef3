// Bundles the extension (CommonJS, for the extension host) and the script and
// style of each view in an editor tab (for its webview) into dist/, with the schemas
// as VS Code completes by them.
import * as esbuild from 'esbuild';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lenient } from './lenient.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const watch = process.argv.includes('--watch');
const common = { bundle: true, absWorkingDir: root, logLevel: 'warning', minify: !watch, sourcemap: watch };

const builds = [
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
  ...['thread', 'task'].flatMap((view) => [
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

await mkdir(join(root, 'dist', 'schemas'), { recursive: true });
for (const name of await readdir(join(root, 'schemas'))) {
  const strict = JSON.parse(await readFile(join(root, 'schemas', name), 'utf8'));
  await writeFile(join(root, 'dist', 'schemas', name), JSON.stringify(lenient(strict)));
}
for (const options of builds) {
  if (watch) await (await esbuild.context(options)).watch();
  else await esbuild.build(options);
}
