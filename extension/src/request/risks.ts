// The risks of a request, and the label of the button that allows it. The server finds risks by a
// fixed list, red ones first; no request is called safe.

import type { AgentRequest, Risk } from '../protocol';
import type { RequestWords } from './requestWords';

/** Reports whether a request has a red risk. A key may then only focus the button that allows it. */
export function isRed(request: AgentRequest): boolean {
  return redRisks(request).length > 0;
}

/** Returns the label of the button that allows a request. */
export function allowWords(request: AgentRequest, words: RequestWords): string {
  const red = redRisks(request);
  if (red.length === 0) return words.allow;
  return red.every(({ kind }) => kind === 'forcePush') ? words.allowForce : words.allowAnyway;
}

function redRisks({ risks = [] }: AgentRequest): readonly Risk[] {
  return risks.filter(({ level }) => level === 'red');
}
