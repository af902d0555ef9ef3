// How the editor uses what "signalbox setup" returns.

import type { Splice } from './facts';

/** Returns a file with its changes, or undefined if the file is not as it was when they were planned. */
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

/** Why a name cannot be a person's. The server makes the final check. */
export type NameProblem = 'form' | 'agent';

export function nameProblem(name: string, agents: readonly string[]): NameProblem | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) || name.endsWith('.')) return 'form';
  return agents.some((agent) => agent.toLowerCase() === name.toLowerCase()) ? 'agent' : undefined;
}

/** The agent's first prompt. Every shell reads it as it is between double quotes. */
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
