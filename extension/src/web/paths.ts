// Tells what a file of the workspace is by its path. A path is the number of the
// workspace folder and the path below it: "0/.agent/threads/x/thread.json".

/** The globs that find our files. */
export const globs: readonly string[] = [
  '**/.agent/threads/*/thread.json',
  '**/.agent/config.json',
  '**/{.ssot,ssot}/**/*.json',
  '**/messages/{inbox,sent}/**/*.json',
  '**/agents/*/config.json',
  '**/log-*.jsonl',
];

/**
 * Folders that usually hold our files, for file systems without a search. The
 * number is how many folders deep they are walked.
 */
export const wellKnown: readonly (readonly [folder: string, depth: number])[] = [
  ['.agent', 2],
  ['.ssot', 6],
  ['ssot', 6],
  ['.agent-messaging', 6],
  ['agents', 5],
  ['messages', 4],
];

/** The files of a workspace by kind. */
export interface Found {
  /** The folders of agents' threads: …/.agent/threads/<name>. */
  readonly threads: readonly string[];
  /** Directories of tasks, with their files. */
  readonly tasks: ReadonlyMap<string, readonly string[]>;
  /** Mailboxes, with their messages. One without messages may have a key. */
  readonly mailboxes: ReadonlyMap<string, readonly string[]>;
  /** Directories of SAMP, with their logs. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
}

/** The kinds of files that paths tell apart. */
export interface Place {
  readonly kind: 'thread' | 'messages' | 'config' | 'task' | 'mail' | 'owner' | 'log';
  readonly folder: string;
}

const patterns: readonly (readonly [Place['kind'], RegExp])[] = [
  ['thread', /^(.*?\/\.agent\/threads\/[^/]+)\/thread\.json$/],
  ['messages', /^(.*?\/\.agent\/threads\/[^/]+)\/messages\.jsonl$/],
  ['config', /^(.*\/\.agent)\/config\.json$/],
  // A file whose name begins with a dot is still being written.
  ['task', /^(\d+(?:\/[^/]+)*?\/\.?ssot)(?:\/(?!node_modules\/)[^./][^/]*)+\.json$/],
  ['mail', /^(.*?)\/messages\/(?:inbox|sent)(?:\/[^./][^/]*)+\.json$/],
  ['owner', /^(.*\/agents\/[^/]+)\/config\.json$/],
  ['log', /^(.*)\/log-[^/]+\.jsonl$/],
];

/** Returns what a path is, or undefined for other files. */
export function placeOf(path: string): Place | undefined {
  for (const [kind, pattern] of patterns) {
    const folder = pattern.exec(path)?.[1];
    if (folder !== undefined) return { kind, folder };
  }
  return undefined;
}

/** Reports whether a change of this file can change what is shown: one of ours, or one that names a mailbox's owner. */
export function concerns(path: string): boolean {
  return placeOf(path) !== undefined || /\/(?:keys\/public\.pem|registrations\/[^/]+\.json)$/.test(path);
}

/** Reports whether a path may be a folder. When a folder comes or goes, its files get no event. */
export function maybeFolder(path: string): boolean {
  return /^\.?[^.]+$/.test(nameOf(path));
}

export function sorted(paths: Iterable<string>): Found {
  const threads = new Set<string>();
  const tasks = new Map<string, string[]>();
  const mailboxes = new Map<string, string[]>();
  const logs = new Map<string, string[]>();
  for (const path of [...new Set(paths)].sort()) {
    const place = placeOf(path);
    if (place === undefined) continue;
    const { kind, folder } = place;
    if (kind === 'thread') threads.add(folder);
    else if (kind === 'task') listOf(tasks, folder).push(path);
    else if (kind === 'mail') listOf(mailboxes, folder).push(path);
    else if (kind === 'log') listOf(logs, folder).push(path);
    else if (kind === 'owner') listOf(mailboxes, folder);
  }
  return { threads: [...threads], tasks, mailboxes, logs };
}

function listOf(map: Map<string, string[]>, key: string): string[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const list: string[] = [];
  map.set(key, list);
  return list;
}

/** Returns the root of a mailbox: the folder above `agents`, or the mailbox itself. */
export function rootOf(mailbox: string): string {
  return /^(.*)\/agents\/[^/]+$/.exec(mailbox)?.[1] ?? mailbox;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function within(folder: string, path: string): string {
  return path.slice(folder.length + 1);
}
