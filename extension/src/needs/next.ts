// Finds the next item that needs the user. A thread offers it once something there was answered.

import type { NeedItem, Ref } from '../protocol';
import { refKey } from '../refs';
import { nameOf } from '../agent/agentWords';
import { commandOf } from '../request/request';

/** Returns the first item of another thread. The server lists the longest waiting items first. */
function nextItem(items: readonly NeedItem[], thread: Ref): NeedItem | undefined {
  const key = refKey(thread);
  return items.find((item) => threadsOf(item).every((ref) => refKey(ref) !== key));
}

function threadsOf({ question, reply, agent, thread }: NeedItem): readonly Ref[] {
  return [question?.thread.ref, reply?.ref, agent?.thread, thread?.ref].filter((ref) => ref !== undefined);
}

/** Returns the next item's title, who waits, and a function that opens it. */
export function nextStep(
  items: readonly NeedItem[],
  thread: Ref,
  open: (item: NeedItem) => void,
): { readonly title: string; readonly who: string; open(): void } | undefined {
  const item = nextItem(items, thread);
  return item === undefined ? undefined : { ...nextWords(item), open: () => open(item) };
}

/** Returns a short title of an item, and who waits. */
export function nextWords(item: NeedItem): { readonly title: string; readonly who: string } {
  const { question, reply, agent, request, thread, escalation, overdue } = item;
  if (question !== undefined) return { title: question.thread.title, who: question.from };
  if (agent !== undefined) {
    const asked = request === undefined ? '' : commandOf(request) || (request.questions?.[0]?.text ?? '');
    const [line = ''] = (asked || (agent.for ?? '') || agent.state).split('\n');
    return { title: line, who: nameOf(agent) };
  }
  const mail = reply ?? thread;
  if (mail !== undefined) return { title: mail.title, who: mail.agent?.name ?? mail.lastFrom };
  if (escalation !== undefined) return { title: escalation.title, who: escalation.from };
  return { title: overdue?.title ?? '', who: overdue?.who ?? '' };
}
