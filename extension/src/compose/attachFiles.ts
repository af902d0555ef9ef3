// "Attach Files…": writes the chosen files into the header of the compose document
// in front.

import * as vscode from 'vscode';
import { composeScheme } from './files';
import { parseDraft } from './draft';

export async function attachFiles(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== composeScheme) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: vscode.l10n.t('Attach'),
    title: vscode.l10n.t('Attach Files'),
    ...(folder === undefined ? {} : { defaultUri: folder }),
  });
  const paths = (chosen ?? []).filter(({ scheme }) => scheme === 'file').map(relativePath);
  if (paths.length === 0) return;
  const { document } = editor;
  const { headers, attach } = parseDraft(document.getText());
  const filled = new Set(attach.map(({ place }) => place.line));
  const empty = headers.find(({ field, place }) => field === 'attach' && !filled.has(place.line));
  const lines = paths.map((path) => `Attach: ${path}`).join('\n');
  await editor.edit((edit) => {
    if (empty !== undefined) {
      edit.replace(document.lineAt(empty.place.line).range, lines);
      return;
    }
    const last = headers.at(-1)?.place.line;
    if (last === undefined) edit.insert(new vscode.Position(0, 0), `${lines}\n`);
    else edit.insert(document.lineAt(last).range.end, `\n${lines}`);
  });
}

/** Returns a file's path, relative to the first workspace folder if the file is in that. */
function relativePath(file: vscode.Uri): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.path;
  return folder !== undefined && file.path.startsWith(`${folder}/`)
    ? file.path.slice(folder.length + 1)
    : file.fsPath;
}
