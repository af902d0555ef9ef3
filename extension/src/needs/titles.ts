// The titles of items that need the user: for the status bar, a notification, a Quick Pick.

import * as vscode from 'vscode';
import type { NeedItem, Question } from '../protocol';
import { escalationWords, overdueWords } from '../task/escalationRows';
import { agentWords, nameOf } from '../agent/agentWords';

/** Returns an item's full title. */
export function titleOf({ agent, escalation, overdue, question, reply, thread }: NeedItem): string {
  if (question !== undefined) return questionWords(question);
  if (agent !== undefined) return agentWords(vscode.l10n.t, agent, nameOf(agent));
  if (escalation !== undefined) return escalationWords(escalation);
  if (overdue !== undefined) return overdueWords(overdue, Date.now());
  return (reply ?? thread)?.title ?? '';
}

/** Returns a question's text, after "Urgent:" if it is urgent and does not begin so itself. */
export function questionWords({ text, thread, urgent }: Question): string {
  const words = text === '' ? thread.title : text;
  return urgent === true && !/^urgent:/i.test(words) ? vscode.l10n.t('Urgent: {0}', words) : words;
}
