import type { Draft, Sent } from '../protocol';
import type { Server } from '../server/client';
import { attemptFor, type Attempt } from './draft';

/**
 * Returns a function that sends messages. A message that is sent again after a failure is written
 * only once, since the failure may have been that only the server's answer was lost.
 */
export function sendingOnce(server: Pick<Server, 'request'>): (draft: Draft) => Promise<Sent> {
  /** The last attempt without an answer, by receiver. */
  const unanswered = new Map<string, Attempt>();
  return async (draft) => {
    const attempt = attemptFor(draft, unanswered.get(draft.to));
    unanswered.set(draft.to, attempt);
    const sent = await server.request('signalbox/message/send', { draft, clientToken: attempt.token });
    if (unanswered.get(draft.to) === attempt) unanswered.delete(draft.to);
    return sent;
  };
}
