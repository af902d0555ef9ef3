// The answers that can be given at once: in a notification, a hover, or with a key. A
// question has options, an escalation has suggested actions. Strangers wrote all of them.

import { refKey } from '../refs';
import type { Action, EscalationItem, NeedItem, Question, Ref } from '../protocol';
import { noticeText, withoutIcons } from '../strangers';

/** The most answers that are offered as buttons. */
export const answersMost = 3;

/** The length of the longest label of a button, in UTF-16 code units. */
const labelMost = 40;

/** Returns a label for each option, or none if there are too many or two look the same. */
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

/**
 * Returns the suggested actions without their texts, or their labels if two actions are the same.
 * A notification has little room, and the chosen action is shown before it is sent.
 */
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

/** Returns the open question or escalation in a message, or in a thread if there is no message. */
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
