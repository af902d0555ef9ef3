// Warns the user once about settings with a wrong value. Their defaults are used.

import * as vscode from 'vscode';
import { settingProblems } from '../config';
import type { SettingProblem } from '../settings';

/** Checks the settings now and whenever they change. */
export function noteSettings(log: vscode.LogOutputChannel): vscode.Disposable {
  let notified = '';
  const check = (): void => {
    const problems = settingProblems();
    const names = problems.map(({ name }) => `signalbox.${name}`).join(', ');
    if (names === notified) return;
    notified = names;
    for (const { name, wanted } of problems)
      log.warn(`setting signalbox.${name}: must be ${wanted}; its default is used`);
    void warn(problems, names);
  };
  check();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('signalbox')) check();
  });
}

async function warn(problems: readonly SettingProblem[], names: string): Promise<void> {
  const [first] = problems;
  if (first === undefined) return;
  const open = vscode.l10n.t('Open Settings');
  const message =
    problems.length === 1
      ? vscode.l10n.t('The setting {0} must be {1}. Its default is used.', names, first.wanted)
      : vscode.l10n.t('These settings are of the wrong type; their defaults are used: {0}', names);
  const choice = await vscode.window.showWarningMessage(message, open);
  if (choice === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', `signalbox.${first.name}`);
}
