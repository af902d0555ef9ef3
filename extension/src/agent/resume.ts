// How a session of an agent's program is resumed. The facts about it come from files that any
// program could have written.

import type { ThreadItem } from '../protocol';

/** Reports whether a thread is a session that can be resumed. */
export function canResume({ agent }: Pick<ThreadItem, 'agent'>): boolean {
  return commandLine(agent?.session?.resume ?? []) !== undefined;
}

/** Returns the alias under which mail reaches the agent of a session, or an empty text. */
export function aliasOf({ agent }: Pick<ThreadItem, 'agent'>): string {
  return agent?.session?.alias ?? '';
}

/**
 * Returns the words as a line for a terminal, or undefined if one is not plain. A plain word has
 * only letters, digits and hyphens, so that every shell reads it as it is, without quotes.
 */
export function commandLine(words: readonly string[]): string | undefined {
  const [program = ''] = words;
  const plain = /^[a-zA-Z]/.test(program) && words.every((word) => /^[a-zA-Z0-9-]+$/.test(word));
  return plain ? words.join(' ') : undefined;
}

/**
 * Returns the command that resumes a session, to be shown to people. `taken` is set if the
 * program takes a text: the last word, which is shown as "…".
 */
export function resumeCommand(words: readonly string[], taken: boolean): string {
  const plain = commandLine(taken ? words.slice(0, -1) : words);
  return plain === undefined ? '' : `${plain}${taken ? ' "…"' : ''}`;
}

/** A line for a terminal, and the environment variables that hold its texts. */
export interface Line {
  readonly line: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The longest text that a system takes as a variable, in characters. */
const longestText = 30_000;

/**
 * Returns words as a line for a shell. Words that a shell could interpret are in environment
 * variables: a quoted variable is one word, and no shell interprets its contents. Returns undefined
 * if the shell is not known, the program is not a plain word, or a word is too long.
 */
export function lineFor(words: readonly string[], shell: string): Line | undefined {
  const quoted = variables[/[^\\/]*$/.exec(shell.replace(/\.exe$/i, ''))?.[0].toLowerCase() ?? ''];
  const plain = /^[a-zA-Z0-9_./-]+$/;
  if (quoted === undefined || !plain.test(words[0] ?? '') || words.some(({ length }) => length > longestText))
    return undefined;
  const env: Record<string, string> = {};
  const line = words.map((word, index) => {
    if (plain.test(word)) return word;
    const name = `SIGNALBOX_WORD_${index}`;
    env[name] = word;
    return quoted(name);
  });
  return { line: line.join(' '), env };
}

const posix = (name: string): string => `"$${name}"`;

/** How each shell writes a variable as one word. */
const variables: Readonly<Record<string, (name: string) => string>> = {
  ...{ sh: posix, bash: posix, dash: posix, ksh: posix, zsh: posix, fish: posix },
  pwsh: (name) => `$env:${name}`,
};
