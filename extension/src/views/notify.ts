// Sets context keys and reports failures, for all parts of the extension.

import * as vscode from 'vscode';
import { failureOf, remedyWords, type Remedy, type Tried } from '../server/failureWords';
import { describeError } from '../server/failures';
import { noticeText } from '../strangers';

/** Sets a context key, which package.json's when clauses read. */
export function setContext(key: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', key, value);
}

/** The longest text of a notification about a failure. It begins with what the failure means. */
const longest = 400;

/** Logs a failure and shows its meaning, with buttons for the remedies. `again` tries once more. */
export function showFailure(
  log: vscode.LogOutputChannel,
  tried: Tried,
  error: unknown,
  again?: () => unknown,
): void {
  log.error(`${tried}: ${describeError(error)}`);
  const { text, remedies } = failureOf(tried, error, vscode.l10n.t);
  const offered = remedies.filter((remedy) => remedy !== 'retry' || again !== undefined);
  const words = remedyWords(vscode.l10n.t);
  const labels = offered.map((remedy) => words[remedy]);
  void vscode.window.showErrorMessage(noticeText(text, longest), ...labels).then((label) => {
    const remedy = label === undefined ? undefined : offered[labels.indexOf(label)];
    return remedy === 'retry' ? again?.() : runRemedy(remedy);
  });
}

const remedyCommands: Readonly<Partial<Record<Remedy, string>>> = {
  restart: 'signalbox.restartServer',
  log: 'signalbox.showLog',
  doctor: 'signalbox.doctor',
  trust: 'workbench.trust.manage',
  alias: 'signalbox.setAlias',
};

/** Carries out the remedy of a failure's button, except trying again, which the caller does. */
export async function runRemedy(remedy: Remedy | undefined): Promise<void> {
  const command = remedy === undefined ? undefined : remedyCommands[remedy];
  if (command !== undefined) await vscode.commands.executeCommand(command);
}
