// Tells the user once which settings have a wrong value. Their defaults are used.

import * as vscode from 'vscode';
import { settingProblems } from './config';
import { Registrations } from '../registrations';

export class SettingNotes extends Registrations {
  readonly #log: vscode.LogOutputChannel;
  #told = '';

  constructor(log: vscode.LogOutputChannel) {
    super();
    this.#log = log;
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('signalbox')) void this.#look();
      }),
    );
    void this.#look();
  }

  async #look(): Promise<void> {
    const problems = settingProblems();
    const names = problems.map(({ name }) => `signalbox.${name}`).join(', ');
    if (names === this.#told) return;
    this.#told = names;
    const [first] = problems;
    if (first === undefined) return;
    for (const { name, wanted } of problems) {
      this.#log.warn(`setting signalbox.${name}: must be ${wanted}; its default is used`);
    }
    const open = vscode.l10n.t('Open Settings');
    const message =
      problems.length === 1
        ? vscode.l10n.t('The setting {0} must be {1}. Its default is used.', names, first.wanted)
        : vscode.l10n.t('These settings are of the wrong type; their defaults are used: {0}', names);
    const choice = await vscode.window.showWarningMessage(message, open);
    if (choice === open) {
      await vscode.commands.executeCommand('workbench.action.openSettings', `signalbox.${first.name}`);
    }
  }
}
