// One reading of the workspace: what the views show, what hovers find, and the
// documents.

import { agentDocument, agentGroups, agentPreview, agentTokens } from './agentThreads';
import { limits } from './limits';
import { logDocument, logPart, logPreview, logTokens } from './logs';
import { mailDocument, mailPart, mailPreview } from './mailboxes';
import type { Desk, Group, Key, Target, Tasks } from './model';
import type { Found } from './paths';
import { escalationDocument, taskDocument, taskPreview } from './taskDocument';
import { taskRows } from './taskRows';

/** What was read. */
export interface Look {
  readonly found: Found;
  /** The folder with the newest thread first. */
  readonly groups: readonly Group[];
  readonly tasks: Tasks;
  /** What tokens lead to, except for messages in logs: tokensOf adds those. */
  readonly tokens: ReadonlyMap<string, Target>;
}

/** Reads everything that was found. */
export async function look(desk: Desk, found: Found): Promise<Look> {
  const agents = await agentGroups(desk, found.threads);
  const logs = await logPart(desk, found.logs);
  const mail = await mailPart(desk, found.mailboxes);
  const { tasks, tokens } = await taskRows(desk, found.tasks);
  const groups = [...agents, ...logs.groups, ...mail.groups];
  groups.sort(
    (a, b) => (b.threads[0]?.time ?? 0) - (a.threads[0]?.time ?? 0) || (a.folder < b.folder ? -1 : 1),
  );
  return { found, groups, tasks, tokens: tokenMap([...tokens, ...logs.tokens, ...mail.tokens]) };
}

/** Returns all tokens. It reads the logs for the ids of their messages. */
export async function tokensOf(desk: Desk, { found, tokens }: Look): Promise<ReadonlyMap<string, Target>> {
  const logs = await logTokens(desk, found.logs);
  return tokenMap([...tokens, ...logs, ...(await agentTokens(desk, found.threads))]);
}

/** Returns the tokens as a map. The first target of a token counts. */
function tokenMap(list: Iterable<readonly [string, Target]>): ReadonlyMap<string, Target> {
  const map = new Map<string, Target>();
  for (const [token, target] of list) {
    if (map.size >= limits.tokens) break;
    if (token !== '' && !map.has(token)) map.set(token, target);
  }
  return map;
}

export async function documentOf(desk: Desk, { found }: Look, key: Key): Promise<string> {
  const paths = found.tasks.get(key.folder) ?? [];
  switch (key.kind) {
    case 'atsf':
      return ended(await agentDocument(desk, key));
    case 'samp':
      return ended(await logDocument(desk, key, found.logs.get(key.folder) ?? []));
    case 'amp':
      return ended(await mailDocument(desk, key, found.mailboxes));
    case 'task':
      return ended(await taskDocument(desk, key, paths));
    case 'escalation':
      return ended(await escalationDocument(desk, key, paths));
  }
}

/**
 * Returns a preview of what a token leads to. Each part is bounded on its own:
 * Markdown that is cut may say something else.
 */
export async function previewOf(desk: Desk, { found }: Look, target: Target, count: number): Promise<string> {
  const { key } = target;
  switch (key.kind) {
    case 'atsf':
      return agentPreview(desk, target, count);
    case 'samp':
      return logPreview(desk, target, found.logs.get(key.folder) ?? [], count);
    case 'amp':
      return mailPreview(desk, target, found.mailboxes, count);
    case 'task':
    case 'escalation':
      return taskPreview(desk, key, target.message, found.tasks.get(key.folder) ?? []);
  }
}

function ended(markdown: string): string {
  return `${markdown.trimEnd()}\n`;
}

/** Returns the key in a string made with JSON.stringify, or undefined. */
export function parseKey(text: string): Key | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('kind' in value) || !('folder' in value) || !('id' in value)) return undefined;
    const { kind, folder, id } = value;
    const known = kinds.find((each) => each === kind);
    if (known === undefined || typeof folder !== 'string' || typeof id !== 'string') return undefined;
    return { kind: known, folder, id };
  } catch {
    return undefined;
  }
}

const kinds = ['atsf', 'samp', 'amp', 'task', 'escalation'] as const;

/** Reports whether a key names something that was found. A stranger's address must not open anything else. */
export function knows({ found, groups, tasks }: Look, key: Key): boolean {
  if (key.kind === 'task')
    return tasks.tasks.some((row) => row.key.folder === key.folder && row.key.id === key.id);
  if (key.kind === 'escalation') return found.tasks.has(key.folder);
  return groups.some(
    ({ format, threads }) =>
      format === key.kind && threads.some((row) => row.key.folder === key.folder && row.key.id === key.id),
  );
}
