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
