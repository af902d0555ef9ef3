// What makes a request dangerous, and what the button that allows it is called then. The
// server finds risks by a fixed list, the red ones first; nothing is called safe.

import type { AgentRequest, Risk } from '../protocol';
import type { RequestWords } from './requestWords';

/** Reports whether a key may give the button that allows it the focus, and no more. */
export function isRed(request: AgentRequest): boolean {
  return redRisks(request).length > 0;
}

/** Names what allowing does. */
export function allowWords(request: AgentRequest, words: RequestWords): string {
  const red = redRisks(request);
  if (red.length === 0) return words.allow;
  return red.every(({ kind }) => kind === 'forcePush') ? words.allowForce : words.allowAnyway;
}

function redRisks({ risks = [] }: AgentRequest): readonly Risk[] {
  return risks.filter(({ level }) => level === 'red');
}
