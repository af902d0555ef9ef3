// Shows the map of keys as a Quick Pick, in places where no page can show it.

import * as vscode from 'vscode';
import { keyRows, type KeyRow } from '../keys';

export async function pickKeys(): Promise<void> {
  const mac = process.platform === 'darwin';
  const rows = keyRows(vscode.l10n.t, mac, 'list');
  const box = keyRows(vscode.l10n.t, mac, 'thread').filter((row) => row.box);
  const pick = ({ keys, words }: KeyRow): vscode.QuickPickItem => ({
    label: keys.join('  '),
    description: words,
  });
  const part = (label: string): vscode.QuickPickItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  await vscode.window.showQuickPick(
    [
      part(vscode.l10n.t('Outside a box')),
      ...rows.map(pick),
      part(vscode.l10n.t('In the box')),
      ...box.map(pick),
    ],
    { title: vscode.l10n.t('Keys'), matchOnDescription: true },
  );
}
