// The answers that can be given at once: in a notification, a hover, or with a key. A
// question has options, an escalation suggested actions. All of them are strangers' words.

import { refKey } from '../refs';
import type { Action, EscalationItem, NeedItem, Question, Ref } from '../protocol';
import { noticeText, withoutIcons } from '../strangers';

/** More answers than this are not offered as buttons. */
export const answersMost = 3;

/** The longest label of a button. */
const labelMost = 40;

/** Returns a label for each option, or none if there are many, or two that look the same. */
export function optionLabels({ options = [] }: Pick<Question, 'options'>): readonly string[] {
  if (options.length > answersMost) return [];
  return distinct(options.map((option) => noticeText(withoutIcons(option), labelMost)));
}

/** Returns a label for each of the first suggested actions of an escalation that is open. */
export function suggestionLabels(
  { open, malformed, suggested }: Pick<EscalationItem, 'open' | 'malformed' | 'suggested'>,
  actions: Readonly<Record<Action, string>>,
): readonly string[] {
  if (!open || malformed === true) return [];
  const labels = suggested
    .slice(0, answersMost)
    .map(({ action, text }) => noticeText(withoutIcons(`${actions[action]}: ${text}`), labelMost));
  return distinct(labels);
}

/** The same in one word each, where the decisions differ: a notification has little room, and what is chosen is shown before it is sent. */
export function suggestionWords(
  escalation: Parameters<typeof suggestionLabels>[0],
  actions: Readonly<Record<Action, string>>,
): readonly string[] {
  const labels = suggestionLabels(escalation, actions);
  const words = escalation.suggested.slice(0, labels.length).map(({ action }) => actions[action]);
  return distinct(words).length > 0 ? words : labels;
}

function distinct(labels: readonly string[]): readonly string[] {
  return new Set(labels).size === labels.length ? labels : [];
}

/** Returns the question or escalation that a message is, or that a thread waits for. */
export function needAt(
  items: readonly NeedItem[],
  thread: Ref,
  message: Ref | undefined,
): Pick<NeedItem, 'question' | 'escalation'> {
  const wanted = refKey(message ?? thread);
  const question = items.find(({ question: one }) => {
    return one !== undefined && refKey(message === undefined ? one.thread.ref : one.message) === wanted;
  });
  const escalation = items.find(({ escalation: one }) => one !== undefined && refKey(one.ref) === wanted);
  return {
    ...(question?.question === undefined ? {} : { question: question.question }),
    ...(escalation?.escalation === undefined ? {} : { escalation: escalation.escalation }),
  };
}
