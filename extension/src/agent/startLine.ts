// What starts an agent in a work tree of its own.

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
  /** Of the work tree, and of its branch. */
  readonly name: string;
  readonly client: string;
  /** The file with the first prompt, or empty. */
  readonly promptFile: string;
}

/** Returns the arguments of the server's program, which shows what it will do and asks. */
export function startArguments({ name, client, promptFile }: Start): readonly string[] {
  const prompt = promptFile === '' ? ['--start'] : ['--prompt-file', promptFile];
  return ['worktree', 'add', '--agent', client, ...prompt, '--', name];
}

/** The words before a first prompt on the command lines of the programs that take one. */
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
  // As one plain word it would be an option, or the name of a command of the program's.
  return [client, ...before, /^-|^\S+$/.test(prompt) ? ` ${prompt}` : prompt];
}

/** What a name and a first prompt are proposed for. */
export type StartRow =
  | { readonly kind: 'task'; readonly task: Pick<TaskItem, 'id' | 'title'> }
  | { readonly kind: 'group'; readonly group: Pick<Group, 'branch' | 'gone'> };

/**
 * Returns the name that the new work tree is proposed, and the first prompt. A branch is in one
 * work tree alone: from the row of one a new branch begins where that is, unless it was removed.
 */
export function proposal(row: StartRow | undefined): { readonly name: string; readonly prompt: string } {
  if (row?.kind === 'task') {
    const { id, title } = row.task;
    return { name: id.toLowerCase().replace(/[^a-z0-9-]+/g, '-'), prompt: `${id}: ${title}` };
  }
  return { name: row?.group.gone === true ? (row.group.branch ?? '') : '', prompt: '' };
}
