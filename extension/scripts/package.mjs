// Packages the extension as a VSIX, with a server binary in it if one is given.
//
//   npm run package -- [--target linux-x64] [--bin path] [--out file.vsix]
//
// --target  the platform the VSIX is for; without it the VSIX is universal
// --bin     the signalbox binary of that platform; default: extension/bin/signalbox[.exe] if there
// --out     the file to write; default: dist/signalbox-<version>[-<target>].vsix in the repository
//
// The package is put together in a temporary folder: what is in it is what is
// listed here, and nothing that happens to lie around.
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: { target: { type: 'string' }, bin: { type: 'string' }, out: { type: 'string' } },
});
const caller = process.env.INIT_CWD ?? process.cwd();
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const windows = values.target?.startsWith('win32') ?? process.platform === 'win32';
const binName = windows ? 'signalbox.exe' : 'signalbox';
const bundled = join(root, 'bin', binName);
const bin =
  values.bin !== undefined ? resolve(caller, values.bin) : existsSync(bundled) ? bundled : undefined;
const suffix = values.target === undefined ? '' : `-${values.target}`;
const out =
  values.out !== undefined
    ? resolve(caller, values.out)
    : join(root, '..', 'dist', `signalbox-${manifest.version}${suffix}.vsix`);

const stage = await mkdtemp(join(tmpdir(), 'signalbox-vsix-'));
try {
  for (const name of [
    'package.nls.json',
    'README.md',
    'CHANGELOG.md',
    '.vscodeignore',
    'dist',
    'resources',
  ]) {
    await cp(join(root, name), join(stage, name), { recursive: true });
  }
  await copyFile(join(root, '..', 'LICENSE'), join(stage, 'LICENSE'));
  // A packaged extension has no scripts and no dependencies: all is bundled.
  const shipped = { ...manifest, scripts: {}, devDependencies: {} };
  delete shipped.private;
  await writeFile(join(stage, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`);
  if (bin !== undefined) {
    await mkdir(join(stage, 'bin'));
    await copyFile(bin, join(stage, 'bin', binName));
    await chmod(join(stage, 'bin', binName), 0o755);
  }
  await mkdir(dirname(out), { recursive: true });
  await createVSIX({
    cwd: stage,
    packagePath: out,
    dependencies: false,
    ...(values.target === undefined ? {} : { target: values.target }),
  });
} finally {
  await rm(stage, { recursive: true, force: true });
}
