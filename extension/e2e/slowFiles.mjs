// An extension for the tests that has files as a page of a code host has them: read only, 50 ms
// a call, without inodes and times of creation, and nobody is told of a change.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TextEncoder } from 'node:util'; // a browser has one by the same name
import { createVSIX } from '@vscode/vsce';

/** Packages it with the files of a folder, at "slow:/mail". "Slow Files: Write" adds a text to the one of a name. */
export async function packageSlowFiles(dir, folder, late) {
  const at = join(dir, 'slow-files');
  mkdirSync(at);
  const files = Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => [`/mail/${relative(folder, file)}`, readFileSync(file, 'utf8')]),
  );
  const manifest = {
    ...{ name: 'slow-files', displayName: 'Slow Files', publisher: 'signalbox-dev', version: '0.0.1' },
    ...{ engines: { vscode: '^1.90.0' }, browser: './extension.js', license: 'Apache-2.0' },
    activationEvents: ['onFileSystem:slow'],
    capabilities: { virtualWorkspaces: true, untrustedWorkspaces: { supported: true } },
    contributes: { commands: [{ command: 'slowFiles.write', title: 'Slow Files: Write' }] },
  };
  writeFileSync(join(at, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(at, 'README.md'), 'Files for tests.\n');
  writeFileSync(
    join(at, 'extension.js'),
    `(${String(extension)})(exports, require('vscode'), ${JSON.stringify({ files, late })});\n`,
  );
  const packagePath = join(dir, 'slow-files.vsix');
  await createVSIX({
    cwd: at,
    packagePath,
    dependencies: false,
    skipLicense: true,
    allowMissingRepository: true,
  });
  return packagePath;
}

/** The extension's own program. */
function extension(exports, vscode, { files, late }) {
  const encoder = new TextEncoder();
  const now = () => Date.now();
  const all = new Map(
    Object.entries(files).map(([path, text]) => [path, { data: encoder.encode(text), mtime: now() }]),
  );
  const missing = (uri) => vscode.FileSystemError.FileNotFound(uri);
  const below = (path) => [...all.keys()].filter((name) => path === '/' || name.startsWith(`${path}/`));
  const slowly = async (answer) => {
    await new Promise((done) => setTimeout(done, 50));
    return answer();
  };
  const refused = (uri) =>
    slowly(() => {
      throw vscode.FileSystemError.NoPermissions(uri);
    });
  const provider = {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: (uri) =>
      slowly(() => {
        const file = all.get(uri.path);
        if (file !== undefined) return { type: 1, ctime: 0, mtime: file.mtime, size: file.data.length };
        if (below(uri.path).length === 0) throw missing(uri);
        return { type: 2, ctime: 0, mtime: 0, size: 0 };
      }),
    readDirectory: (uri) =>
      slowly(() => {
        const names = below(uri.path);
        if (names.length === 0) throw missing(uri);
        const at = uri.path === '/' ? 1 : uri.path.length + 1;
        const parts = new Map(
          names.map((name) => {
            const [first, ...rest] = name.slice(at).split('/');
            return [first, rest.length === 0 ? 1 : 2];
          }),
        );
        return [...parts];
      }),
    readFile: (uri) =>
      slowly(() => {
        const file = all.get(uri.path);
        if (file === undefined) throw missing(uri);
        return file.data;
      }),
    writeFile: refused,
    createDirectory: refused,
    delete: refused,
    rename: refused,
  };
  exports.activate = (context) => {
    context.subscriptions.push(
      vscode.workspace.registerFileSystemProvider('slow', provider, {
        isReadonly: true,
        isCaseSensitive: true,
      }),
      vscode.commands.registerCommand('slowFiles.write', () => {
        const [path, text] = late;
        all.set(path, { data: encoder.encode(text), mtime: now() });
      }),
    );
  };
}
