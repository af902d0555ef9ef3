// Packages the extension as a VSIX, with a server binary in it if one is given.
//
//   npm run package -- [--target linux-x64] [--bin path] [--wasm path] [--version 1.2.3] [--out file.vsix]
//
// --target  the platform the VSIX is for, or "web" for browsers without a server;
//           without it the VSIX is universal
// --bin     the signalbox binary of that platform; default: extension/bin/signalbox[.exe] if there,
//           and none in a universal VSIX
// --wasm    the server for a web VSIX; default: bin/signalbox-browser.wasm.gz in the repository, with
//           wasm_exec.js, Go's own support script, beside it
// --version the release; default: the version in package.json
// --out     the file to write; default: dist/signalbox-<version>[-<target>].vsix in the repository
//
// The package is assembled in a temporary folder from the files listed here. The
// same source gives the same bytes: see times.
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { bundle } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    bin: { type: 'string' },
    wasm: { type: 'string' },
    version: { type: 'string' },
    out: { type: 'string' },
  },
});
const caller = process.env.INIT_CWD ?? process.cwd();
const web = values.target === 'web';
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
manifest.version = values.version ?? manifest.version;
const windows = values.target?.startsWith('win32') ?? process.platform === 'win32';
const binName = windows ? 'signalbox.exe' : 'signalbox';
const suffix = values.target === undefined ? '' : `-${values.target}`;
const out =
  values.out !== undefined
    ? resolve(caller, values.out)
    : join(root, '..', 'dist', `signalbox-${manifest.version}${suffix}.vsix`);

// vsce gives all files of the archive this time, in seconds, and a fixed order,
// so that two runs give the same bytes. Zip writes local times, from 1980 on.
const times = '946684800';
process.env.TZ = 'UTC';

/** Returns the server binary for the package, or undefined. */
function server() {
  if (values.bin !== undefined) return resolve(caller, values.bin);
  const bundled = join(root, 'bin', binName);
  return !web && values.target !== undefined && existsSync(bundled) ? bundled : undefined;
}

/**
 * Returns the manifest of the package: without scripts and dependencies, since
 * everything is bundled, and with one entry point. With both, VS Code would take
 * the package for a web extension too, without its module. With only "browser" it
 * runs in the browser's extension host, even beside a remote one. An extensionKind
 * would send it to the remote host, which cannot run it.
 */
function shipped() {
  const { main, browser, extensionKind, capabilities, contributes, ...rest } = manifest;
  const common = { ...rest, capabilities, contributes, scripts: {}, devDependencies: {} };
  delete common.private;
  if (!web) {
    const virtualWorkspaces = { ...capabilities.virtualWorkspaces, supported: false };
    return { ...common, main, extensionKind, capabilities: { ...capabilities, virtualWorkspaces } };
  }
  // Every step of the walkthrough needs the desktop, and so do tools for agents.
  const desktop = { walkthroughs: undefined, mcpServerDefinitionProviders: undefined };
  const offered = ({ command, args }) =>
    ![command, ...(args?.commands ?? []).map((each) => each.command ?? each)].some((name) =>
      onMachine.test(name),
    );
  const commands = contributes.commands.filter(offered);
  const keybindings = contributes.keybindings.filter(offered);
  const menus = Object.fromEntries(
    Object.entries(contributes.menus).map(([place, entries]) => [place, entries.filter(offered)]),
  );
  const viewsWelcome = contributes.viewsWelcome.filter(
    ({ when }) => !/== (first|missing|noAlias)$/.test(when),
  );
  return {
    ...common,
    browser,
    contributes: { ...contributes, commands, keybindings, menus, viewsWelcome, ...desktop },
  };
}

/** The commands that need a machine: its programs, terminals, git and folders. A browser does not offer them. */
const onMachine =
  /^signalbox\.(setUp|setUpMore|undoSetUp|setAlias|chooseDirectory|trySample|leaveSample|startAgent|resumeSession|allSessions|messageAgent|mailToAgent|openAgents|refreshAgents|showChanges|showAllChanges|openInNewWindow|agent\w+|showAgentTerminal|needsShowTerminal|nudgeAgent|attachFiles|doctor)$/;

/**
 * Returns the page with addresses for its links to the repository, at this release. vsce makes
 * addresses as well, without the folder that the page is in.
 */
function published(page) {
  const at = 'signalbox-dev/signalbox';
  return page
    .replaceAll(/(!\[[^\]]*\]\()\.\.\//g, `$1https://raw.githubusercontent.com/${at}/v${manifest.version}/`)
    .replaceAll('](../', `](https://github.com/${at}/blob/v${manifest.version}/`);
}

async function fill(stage) {
  const wanted = ['package.nls.json', 'README.md', 'CHANGELOG.md', '.vscodeignore', 'resources'];
  for (const name of wanted) await cp(join(root, name), join(stage, name), { recursive: true });
  const page = join(stage, 'README.md');
  await writeFile(page, published(await readFile(page, 'utf8')));
  await copyFile(join(root, '..', 'LICENSE'), join(stage, 'LICENSE'));
  await writeFile(join(stage, 'package.json'), `${JSON.stringify(shipped(), null, 2)}\n`);
  const dist = join(root, 'dist');
  const browser = join(dist, 'browser');
  const desktop = join(dist, 'extension.js');
  const left = web ? desktop : browser;
  await cp(dist, join(stage, 'dist'), { recursive: true, filter: (file) => file !== left });
  if (web) {
    const wasm = resolve(caller, values.wasm ?? join(root, '../bin/signalbox-browser.wasm.gz'));
    await copyFile(wasm, join(stage, 'dist/browser/signalbox-browser.wasm.gz'));
    await copyFile(join(dirname(wasm), 'wasm_exec.js'), join(stage, 'dist/browser/wasm_exec.js'));
  }
  const bin = server();
  if (bin !== undefined) {
    await mkdir(join(stage, 'bin'));
    await copyFile(bin, join(stage, 'bin', binName));
  }
  // The archive contains the files' modes, which differ between machines.
  for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) await chmod(file, entry.name === binName ? 0o755 : 0o644);
  }
}

await bundle(web);
const stage = await mkdtemp(join(tmpdir(), 'signalbox-vsix-'));
try {
  await fill(stage);
  await mkdir(dirname(out), { recursive: true });
  process.env.SOURCE_DATE_EPOCH = times;
  await createVSIX({
    cwd: stage,
    packagePath: out,
    dependencies: false,
    ...(values.target === undefined ? {} : { target: values.target }),
  });
} finally {
  await rm(stage, { recursive: true, force: true });
}
