// Undo Set Up: takes back what Set Up wrote into the files of agents' programs. Every edit
// is shown before it is made, as Set Up shows it.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { noticeText } from '../strangers';
import { confirmed } from './asking';
import type { SetupChanges } from './changes';
import type { SetupProgram } from './program';
import { busy } from './progress';

export interface UndoParts {
  readonly server: Server;
  readonly program: SetupProgram;
  readonly changes: SetupChanges;
}

export async function undoSetUp({ server, program, changes }: UndoParts): Promise<void> {
  const plans = await busy(vscode.l10n.t('Looking for what Set Up wrote…'), () => program.undoPlans());
  const changed = plans.filter(({ files }) => files.length > 0);
  if (changed.length === 0) {
    const left = plans.flatMap((plan) => plan.left ?? []);
    if (left.length > 0) throw new Error(left.map(({ path, reason }) => `${path}: ${reason}`).join('; '));
    void vscode.window.showInformationMessage(vscode.l10n.t('Set Up wrote nothing that is still there.'));
    return;
  }
  const words = {
    title: vscode.l10n.t('Undo Set Up: Files That Change'),
    editor: vscode.l10n.t('What Signalbox Will Take Back'),
    write: vscode.l10n.t('Take These Changes Back'),
    hint: vscode.l10n.t('The editor shows what changes. Everything else in these files stays.'),
  };
  if (!(await confirmed(changes, plans, words))) return;
  const { remarks, failed } = await busy(vscode.l10n.t('Undoing Set Up…'), () => program.undo());
  if (remarks !== '') server.log.warn(`setup: ${remarks}`);
  await server.refreshStatus();
  if (failed) throw new Error(remarks);
  const titles = noticeText(changed.map(({ title }) => title).join(', '));
  const text = vscode.l10n.t(
    'Set Up is undone: {0}. Agents that run go on until they end. Your mail and your name are kept.',
    titles,
  );
  void vscode.window.showInformationMessage(text);
}
