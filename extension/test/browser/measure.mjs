// Prints the figures of the server for browsers, in Node: "make bench-browser".
import { bundle } from '../../scripts/build.mjs';
import * as esbuild from 'esbuild';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
await bundle(true);
const outfile = join(here, '../../dist-test/unit/figures.mjs');
const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' };
await esbuild.build({ ...options, entryPoints: [join(here, 'figures.ts')], outfile });
await import(pathToFileURL(outfile).href);
