// Answers an escalation with a suggested action, from where it was announced. The answer
// is final, so what it does is shown first.

import * as vscode from 'vscode';
import { attemptWith, type Attempt } from '../compose/draft';
import type { Action, EscalationItem } from '../protocol';
import type { Server } from '../server/client';
import { noticeText } from '../strangers';
import { taskWords } from './words';

/** Returns the names of the decisions in the user's language. */
export function actionWords(): Readonly<Record<Action, string>> {
  return taskWords(vscode.l10n.t, process.platform === 'darwin').actions;
}

/** Returns a function that asks, and then answers an escalation with one of its suggestions. */
export function suggester(server: Server): (escalation: EscalationItem, index: number) => Promise<void> {
  let attempt: Attempt | undefined;
  return async ({ ref, label, suggested }, index) => {
    const suggestion = suggested[index];
    if (suggestion === undefined) return;
    const { action, text } = suggestion;
    const { actions, final, send } = taskWords(vscode.l10n.t, process.platform === 'darwin');
    const params = { ref, action, body: text, suggestedIndex: index };
    const { canRespond, effect, warnings } = await server.request('signalbox/escalation/preview', params);
    const remarks = warnings.map(({ message }) => message);
    if (!canRespond) throw new Error(remarks.join(' '));
    const question = vscode.l10n.t('Answer “{0}” with: {1}?', label, actions[action]);
    const detail = [text, effect, ...remarks, final].map((line) => noticeText(line, 400)).join('\n\n');
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, send)) !== send) return;
    // Sending again after a lost confirmation writes nothing twice.
    attempt = attemptWith(JSON.stringify(params), attempt);
    await server.request('signalbox/escalation/respond', { ...params, clientToken: attempt.token });
    attempt = undefined;
    vscode.window.setStatusBarMessage(vscode.l10n.t('Answered: {0}', actions[action]), 5_000);
  };
}
