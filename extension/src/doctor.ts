// "Signalbox: Doctor": what the server sees and where each setting came from,
// as a document that can be read and copied.

import * as vscode from 'vscode';
import type { Server } from './client';
import { describeError } from './protocol';

/** Opens the report. Works without a server too: then it says why there is none. */
export async function doctor(server: Server): Promise<void> {
  const content = [
    '# Signalbox doctor',
    '',
    `- VS Code ${vscode.version}, ${process.platform} ${process.arch}`,
    `- Workspace ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted: read-only'}`,
    `- Server: ${server.command || 'none'}`,
    '',
    await report(server),
    '',
  ].join('\n');
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: true });
}

async function report(server: Server): Promise<string> {
  try {
    return await server.execute('signalbox.status');
  } catch (error) {
    return `${vscode.l10n.t('The server does not answer:')} ${describeError(error)}`;
  }
}
