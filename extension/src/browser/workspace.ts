// The opened folders by path, as the server sees them: each folder is below "/" under its own
// name, and Signalbox's own storage is the home directory.

import * as vscode from 'vscode';
import type { Host } from './host';

export const home = '/.signalbox';

export class Workspace {
  readonly #mounts: readonly (readonly [path: string, uri: vscode.Uri])[];

  constructor(storage: vscode.Uri) {
    const mounts: [string, vscode.Uri][] = [];
    for (const { name, uri } of vscode.workspace.workspaceFolders ?? []) {
      const plain = `/${name.replaceAll('/', ' ')}`;
      const taken = mounts.filter(([path]) => path === plain || path.startsWith(`${plain} (`)).length;
      mounts.push([taken === 0 ? plain : `${plain} (${taken + 1})`, uri]);
    }
    this.#mounts = [...mounts, [home, storage]];
  }

  /** The paths of the opened folders, in order. */
  get folders(): readonly string[] {
    return this.#mounts.map(([path]) => path).filter((path) => path !== home);
  }

  uriOf(path: string): vscode.Uri {
    for (const [mount, uri] of this.#mounts)
      if (path === mount || path.startsWith(`${mount}/`))
        return vscode.Uri.joinPath(uri, path.slice(mount.length));
    throw vscode.FileSystemError.FileNotFound(path);
  }

  /** Returns the path of an address, or the address's own path if it is in no opened folder. */
  pathOf(uri: vscode.Uri): string {
    for (const [mount, root] of this.#mounts) {
      const base = root.path.replace(/\/$/, '');
      const same = uri.scheme === root.scheme && uri.authority === root.authority;
      if (same && (uri.path === base || uri.path.startsWith(`${base}/`)))
        return mount + uri.path.slice(base.length);
    }
    return uri.path;
  }

  /** Returns the file operations that the worker asks for. */
  host(): Host {
    const { fs } = vscode.workspace;
    const at = (path: string): vscode.Uri => this.uriOf(path);
    const nothing = { ctime: 0, mtime: 0, size: 0 };
    return {
      stat: async (path) => {
        if (path === '/') return { type: vscode.FileType.Directory, ...nothing };
        const { type, ctime, mtime, size, permissions } = await fs.stat(at(path));
        const locked =
          fs.isWritableFileSystem(at(path).scheme) === false ? vscode.FilePermission.Readonly : undefined;
        return { type, ctime, mtime, size, permissions: locked ?? permissions };
      },
      readDirectory: async (path) =>
        path === '/'
          ? this.#mounts.map(([mount]) => [mount.slice(1), vscode.FileType.Directory])
          : fs.readDirectory(at(path)),
      readFile: async (path) => fs.readFile(at(path)),
      writeFile: async (path, data) => fs.writeFile(at(path), data),
      delete: async (path) => fs.delete(at(path), { recursive: false, useTrash: false }),
      rename: async (from, to, overwrite) => fs.rename(at(from), at(to), { overwrite }),
      copy: async (from, to) => fs.copy(at(from), at(to), { overwrite: false }),
      createDirectory: async (path) => fs.createDirectory(at(path)),
    };
  }

  /** Reports whether the editor reports all changes: on disks it does, in virtual workspaces it need not. */
  reports(): boolean {
    return this.#mounts.every(
      ([path, { scheme }]) => path === home || ['file', 'vscode-remote'].includes(scheme),
    );
  }

  /** Calls a function for each change in the opened folders. */
  watch(changed: (path: string, kind: number) => void): vscode.Disposable {
    const watchers = (vscode.workspace.workspaceFolders ?? []).map((folder) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**'));
      watcher.onDidChange((uri) => changed(this.pathOf(uri), 1));
      watcher.onDidCreate((uri) => changed(this.pathOf(uri), 2));
      watcher.onDidDelete((uri) => changed(this.pathOf(uri), 3));
      return watcher;
    });
    return vscode.Disposable.from(...watchers);
  }

  /**
   * Finds the message directories, mailboxes and tasks in the opened folders and two levels below
   * them. A level is searched only up to mostFolders folders, to make few calls.
   */
  async find(): Promise<{ directories: string[]; ampDirectory: string; ssot: string }> {
    const found = { directories: [] as string[], ampDirectory: '', ssot: '' };
    let level = [...this.folders];
    for (let depth = 0; depth < 3; depth++) {
      const lists = await Promise.all(
        level.map((path) =>
          this.host()
            .readDirectory(path)
            .catch(() => []),
        ),
      );
      const next: string[] = [];
      lists.forEach((entries, at) => {
        const path = level[at] ?? '';
        for (const [name, type] of entries) {
          const below = `${path}/${name}`;
          if (/^log-.*\.jsonl$/.test(name) && found.directories.at(-1) !== path) found.directories.push(path);
          if ((type & vscode.FileType.Directory) === 0 || /^(\.git|node_modules|\.agent)$/.test(name))
            continue;
          if (name === 'agents' && depth > 0) found.ampDirectory ||= path;
          else if (/^\.?ssot$/.test(name)) found.ssot ||= below;
          else next.push(below);
        }
      });
      level = next.slice(0, mostFolders);
    }
    return found;
  }
}

const mostFolders = 60;
