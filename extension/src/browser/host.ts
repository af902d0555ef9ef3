// What the worker asks of the extension host: the operations of vscode.workspace.fs, by path.

/** A host's answer about a path, with the numbers of vscode.FileStat. */
export interface HostStat {
  readonly type: number;
  readonly ctime: number;
  readonly mtime: number;
  readonly size: number;
  readonly permissions?: number | undefined;
}

export interface Host {
  stat(path: string): Promise<HostStat>;
  readDirectory(path: string): Promise<[string, number][]>;
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, data: Uint8Array): Promise<void>;
  delete(path: string): Promise<void>;
  rename(from: string, to: string, overwrite: boolean): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  createDirectory(path: string): Promise<void>;
}

/** The kinds of changes that somebody else makes. */
export const changeKinds = { changed: 1, created: 2, deleted: 3 } as const;
