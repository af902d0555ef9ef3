// The command lines that start an agent, in a new worktree or where it is.

import type { Group, TaskItem } from '../protocol';

/** The programs that can be started, by their commands. */
export const startable: readonly (readonly [client: string, title: string])[] = [
  ['claude', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini CLI'],
  ['copilot', 'Copilot CLI'],
  ['opencode', 'opencode'],
];

/** What an agent is started with. */
export interface Start {
  /** The name of the new worktree and of its branch. */
  readonly name: string;
  readonly client: string;
  /** The file with the first prompt, or empty. */
  readonly promptFile: string;
}

/** Returns the arguments of the server's program, which shows its plan and asks before it acts. */
export function startArguments({ name, client, promptFile }: Start): readonly string[] {
  const prompt = promptFile === '' ? ['--start'] : ['--prompt-file', promptFile];
  return ['worktree', 'add', '--agent', client, ...prompt, '--', name];
}

/** The options before a first prompt, for the programs that take one on their command line. */
const prompts: Readonly<Record<string, readonly string[]>> = {
  ...{ claude: [], codex: [] },
  ...{ gemini: ['-i'], copilot: ['-i'] },
};

/** Reports whether a program takes a first prompt on its command line. */
export function takesPrompt(client: string): boolean {
  return client in prompts;
}

/** Returns the words that start a program, with a first prompt if there is one. */
export function startWords(client: string, prompt: string): readonly string[] {
  const before = prompts[client];
  if (prompt === '' || before === undefined) return [client];
  // A prompt of one word, or with a hyphen first, could be taken for a subcommand or an option.
  return [client, ...before, /^-|^\S+$/.test(prompt) ? ` ${prompt}` : prompt];
}

/** The row that a name and a first prompt are proposed for. */
export type StartRow =
  | { readonly kind: 'task'; readonly task: Pick<TaskItem, 'id' | 'title'> }
  | { readonly kind: 'group'; readonly group: Pick<Group, 'branch' | 'gone'> };

/**
 * Returns the name proposed for the new worktree, and the first prompt. A branch can be in only one
 * worktree, so the branch of a row is proposed only if the row's worktree was removed.
 */
export function proposal(row: StartRow | undefined): { readonly name: string; readonly prompt: string } {
  if (row?.kind === 'task') {
    const { id, title } = row.task;
    return { name: id.toLowerCase().replace(/[^a-z0-9-]+/g, '-'), prompt: `${id}: ${title}` };
  }
  return { name: row?.group.gone === true ? (row.group.branch ?? '') : '', prompt: '' };
}
