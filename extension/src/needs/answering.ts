// Sends answers from "Needs You" to the server and describes what became of them.

import * as vscode from 'vscode';
import { systemClock } from '../heldBack';
import type { NeedItem } from '../protocol';
import type { Server } from '../server/client';
import { failureOf } from '../server/failureWords';
import { describeError, isError } from '../server/failures';
import type { Choosing } from '../thread/reply';
import { overEnding } from './endings';
import type { OutcomeWords } from './needsWords';
import type { Ending, OutcomesHost } from './outcomes';

/** Returns a host that sends answers to a server. */
export function outcomesHost(
  server: Server,
  choosing: Choosing,
  words: OutcomeWords,
  changed: () => void,
): OutcomesHost {
  return {
    ...systemClock,
    words,
    answer: (params) => server.request('signalbox/needs/answer', params),
    choose: async ({ question }, option) => {
      if (question !== undefined) await choosing.send(question.thread.ref, question.message, option);
    },
    failed: (error) => {
      server.log.error(`answer: ${describeError(error)}`);
      return failureOf('answer', error, vscode.l10n.t).text;
    },
    over: (error) => (isError(error, 'NotFound') ? overEnding(error, words, false) : undefined),
    changed,
  };
}

/** Returns how an unlisted item ended. `open` is set if its thread is open in this window. */
export async function howEnded(
  server: Server,
  { request, question, reply }: NeedItem,
  words: OutcomeWords,
  open: boolean,
): Promise<Ending> {
  if (request !== undefined) {
    return server.request('signalbox/needs/request', { id: request.id }).then(
      () => overEnding(undefined, words, open),
      (error: unknown) => overEnding(error, words, open),
    );
  }
  const mail = question !== undefined || reply !== undefined;
  const ending = { icon: 'done', tone: 'quiet', over: true } as const;
  // Other items, such as a waiting agent, end by themselves. No one acted, so this is silent.
  return mail ? { ...ending, words: words.inThread } : { ...ending, words: words.done, silent: true };
}
