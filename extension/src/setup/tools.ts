// What the extension does for agents by itself: it keeps the copy of the program that
// they start up to date, and gives VS Code's own agents the tools.

import * as vscode from 'vscode';
import { describeError } from '../server/failures';
import type { Server } from '../server/client';
import { offerTools, type ToolHost } from './mcp';
import type { SetupProgram } from './program';

export function provideTools(
  server: Server,
  program: SetupProgram,
  version: string,
): readonly vscode.Disposable[] {
  const warn = (text: string): void => server.log.warn(text);
  const changed = new vscode.EventEmitter<void>();
  const offered = offerTools(vscode as unknown as ToolHost, {
    trusted: () => vscode.workspace.isTrusted,
    folders: () => vscode.workspace.workspaceFolders ?? [],
    program: async () => (await program.facts()).program,
    version,
    changed: changed.event,
    warn,
  });
  return [
    changed,
    ...(offered === undefined ? [] : [offered]),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    server.onDidChangeState((state) => {
      if (state !== 'running') return;
      program.updateCopy().catch((error: unknown) => warn(`copy: ${describeError(error)}`));
    }),
  ];
}
