// What can be done with a session of an agent's program. What is said about it comes
// from files that anything could have written.

import type { ThreadItem } from '../protocol';

/** Whether a thread is a session that can be gone on with. */
export function canResume({ agent }: Pick<ThreadItem, 'agent'>): boolean {
  return commandLine(agent?.session?.resume ?? []) !== undefined;
}

/** Returns the alias under which mail reaches the agent of a session, or an empty text. */
export function aliasOf({ agent }: Pick<ThreadItem, 'agent'>): string {
  return agent?.session?.alias ?? '';
}

/**
 * Returns the words as a line for a terminal, or undefined. Only letters, digits and
 * hyphens are taken: every shell reads such words as they are, without quotes.
 */
export function commandLine(words: readonly string[]): string | undefined {
  const [program = ''] = words;
  const plain = /^[a-zA-Z]/.test(program) && words.every((word) => /^[a-zA-Z0-9-]+$/.test(word));
  return plain ? words.join(' ') : undefined;
}

/**
 * Returns the command that goes on with a session as people write it, to be read. Where the
 * program takes a text, the last word stands for it.
 */
export function continuing(words: readonly string[], taken: boolean): string {
  const plain = commandLine(taken ? words.slice(0, -1) : words);
  return plain === undefined ? '' : `${plain}${taken ? ' "…"' : ''}`;
}

/** A line for a terminal, with the variables in which its texts are. */
export interface Line {
  readonly line: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The longest text that a system takes as a variable, in characters. */
const longest = 30_000;

/**
 * Returns words as a line for a shell, with those that a shell could read more into in
 * variables: what a quoted variable holds is one word, and no shell reads it again. Returns
 * undefined for a shell that is not known, and for a program that is not a plain word.
 */
export function lineFor(words: readonly string[], shell: string): Line | undefined {
  const quoted = variables[/[^\\/]*$/.exec(shell.replace(/\.exe$/i, ''))?.[0].toLowerCase() ?? ''];
  const plain = /^[a-zA-Z0-9_./-]+$/;
  if (quoted === undefined || !plain.test(words[0] ?? '') || words.some(({ length }) => length > longest))
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

/** How shells write a variable as one word. */
const variables: Readonly<Record<string, (name: string) => string>> = {
  ...{ sh: posix, bash: posix, dash: posix, ksh: posix, zsh: posix, fish: posix },
  pwsh: (name) => `$env:${name}`,
};
