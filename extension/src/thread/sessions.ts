// What can be done with a session of an agent's program: go on with it in a
// terminal, and write to its agent.

import * as vscode from 'vscode';
import type { Composer } from '../compose/compose';
import type { Ref, ThreadItem } from '../protocol';
import type { Server } from '../server/client';
import { aliasOf, commandLine } from './resume';
import { workFolder } from './workFolder';

export class Sessions {
  readonly #server: Server;
  readonly #composer: Composer;

  constructor(server: Server, composer: Composer) {
    this.#server = server;
    this.#composer = composer;
  }

  /** Runs the program's own command in a new terminal, unless the session is under way by now. */
  async resume(ref: Ref): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      warn(vscode.l10n.t('Sessions are resumed in trusted workspaces only.'));
      return;
    }
    const thread = await this.#thread(ref);
    const session = thread.agent?.session;
    const line = commandLine(session?.resume ?? []);
    if (session === undefined || line === undefined) {
      warn(vscode.l10n.t('This session cannot be resumed: it is under way, or its program offers no way.'));
      return;
    }
    const { groups } = await this.#server.request('signalbox/inbox/list', { limit: 1 });
    const cwd = await workFolder(
      session.folder,
      groups.find(({ id, kind }) => kind === 'worktree' && id === thread.group),
    );
    if (cwd === undefined) {
      warn(vscode.l10n.t('This session cannot be resumed: its worktree was removed.'));
      return;
    }
    const terminal = vscode.window.createTerminal({ name: session.client, cwd });
    terminal.show();
    terminal.sendText(line, true);
  }

  /** Opens a new message to the agent of a session. */
  async writeTo(ref: Ref): Promise<void> {
    const to = aliasOf(await this.#thread(ref));
    if (to === '') warn(vscode.l10n.t('This session’s agent has no name to write to.'));
    else await this.#composer.newMessage({ to, body: '' }, vscode.l10n.t('Mail to {0}', to));
  }

  async #thread(ref: Ref): Promise<ThreadItem> {
    return (await this.#server.request('signalbox/thread/get', { ref, limit: 1 })).thread;
  }
}

function warn(text: string): void {
  void vscode.window.showWarningMessage(`Signalbox: ${text}`);
}
