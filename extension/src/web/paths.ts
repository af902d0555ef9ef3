// What a file of the workspace is, by its path. A path is the number of the
// workspace folder and what follows below it, with "/" between the names:
// "0/.agent/threads/x/thread.json".

/** What a search of the workspace asks for. */
export const globs: readonly string[] = [
  '**/.agent/threads/*/thread.json',
  '**/.agent/config.json',
  '**/{.ssot,ssot}/**/*.json',
  '**/messages/{inbox,sent}/**/*.json',
  '**/agents/*/config.json',
  '**/log-*.jsonl',
];

/**
 * Folders that hold what is looked for, for file systems that cannot be
 * searched. The number tells how many folders deep they are walked.
 */
export const wellKnown: readonly (readonly [folder: string, depth: number])[] = [
  ['.agent', 2],
  ['.ssot', 6],
  ['ssot', 6],
  ['.agent-messaging', 6],
  ['agents', 5],
  ['messages', 4],
];

/** The files of a workspace, by what they are. */
export interface Found {
  /** The folders of agents' threads: …/.agent/threads/<name>. */
  readonly threads: readonly string[];
  /** Directories of tasks, with their files. */
  readonly tasks: ReadonlyMap<string, readonly string[]>;
  /** Mailboxes, with their messages. Those without messages have a key perhaps. */
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
  // Names that begin with a dot are those of files that are being written.
  ['task', /^(\d+(?:\/[^/]+)*?\/\.?ssot)(?:\/(?!node_modules\/)[^./][^/]*)+\.json$/],
  ['mail', /^(.*?)\/messages\/(?:inbox|sent)(?:\/[^./][^/]*)+\.json$/],
  ['owner', /^(.*\/agents\/[^/]+)\/config\.json$/],
  ['log', /^(.*)\/log-[^/]+\.jsonl$/],
];

/** Says what a path is, or undefined for one that is nothing of ours. */
export function placeOf(path: string): Place | undefined {
  for (const [kind, pattern] of patterns) {
    const folder = pattern.exec(path)?.[1];
    if (folder !== undefined) return { kind, folder };
  }
  return undefined;
}

/** Whether a change of this file can change what is shown: one of ours, or one that says whose mailbox it lies in. */
export function concerns(path: string): boolean {
  return placeOf(path) !== undefined || /\/(?:keys\/public\.pem|registrations\/[^/]+\.json)$/.test(path);
}

/**
 * Whether a path may be a folder, which comes and goes with all that is in it
 * and is told of alone.
 */
export function maybeFolder(path: string): boolean {
  return /^\.?[^.]+$/.test(nameOf(path));
}

/** Sorts paths by what they are, each list in order. */
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

/** The root of a mailbox: the folder above agents where it lies in one, as on the desktop. */
export function rootOf(mailbox: string): string {
  return /^(.*)\/agents\/[^/]+$/.exec(mailbox)?.[1] ?? mailbox;
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What stands in a folder, relative to it. */
export function within(folder: string, path: string): string {
  return path.slice(folder.length + 1);
}
