// What follows from what "signalbox setup" tells an editor.

import type { Splice } from './facts';

/** Returns a file with its changes, or undefined if it is not the file that they were made for. */
export function edited(before: Buffer, edits: readonly Splice[]): Buffer | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { offset, old = '', new: put = '' } of edits) {
    const end = offset + Buffer.byteLength(old);
    if (offset < at || before.subarray(offset, end).toString() !== old) return undefined;
    parts.push(before.subarray(at, offset), Buffer.from(put));
    at = end;
  }
  return Buffer.concat([...parts, before.subarray(at)]);
}

/** Why a name cannot be a person's, or undefined. The server has the last word. */
export type NameProblem = 'form' | 'agent';

export function nameProblem(name: string, agents: readonly string[]): NameProblem | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) || name.endsWith('.')) return 'form';
  return agents.some((agent) => agent.toLowerCase() === name.toLowerCase()) ? 'agent' : undefined;
}

/** What the agent is asked to do first. Every shell takes it between double quotes. */
const firstPrompt = 'Read your mail and answer it.';

const startWords: Readonly<Record<string, string>> = {
  claude: 'claude',
  codex: 'codex',
  gemini: 'gemini -i',
  copilot: 'copilot -i',
  opencode: 'opencode --prompt',
};

/** Returns the line that starts a client in a terminal, or undefined for one that has a window of its own. */
export function startLine(client: string): string | undefined {
  const words = startWords[client];
  return words === undefined ? undefined : `${words} "${firstPrompt}"`;
}
