// Tells the user once which settings have a wrong value. Their defaults are used.

import * as vscode from 'vscode';
import { settingProblems } from '../config';
import type { SettingProblem } from '../settings';

/** Looks at the settings now and whenever they change. */
export function noteSettings(log: vscode.LogOutputChannel): vscode.Disposable {
  let told = '';
  const look = (): void => {
    const problems = settingProblems();
    const names = problems.map(({ name }) => `signalbox.${name}`).join(', ');
    if (names === told) return;
    told = names;
    for (const { name, wanted } of problems)
      log.warn(`setting signalbox.${name}: must be ${wanted}; its default is used`);
    void tell(problems, names);
  };
  look();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('signalbox')) look();
  });
}

async function tell(problems: readonly SettingProblem[], names: string): Promise<void> {
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
