// The actions on a session of an agent's program: resume it in a terminal, and write to its
// agent.

import * as vscode from 'vscode';
import type { Composer } from '../compose/compose';
import type { MessageItem, Ref, ThreadItem } from '../protocol';
import type { Server } from '../server/client';
import { resendDraft } from './receipt';
import { aliasOf, commandLine, lineFor } from '../agent/resume';
import { workFolder } from '../agent/workFolder';

/** The reason why a session cannot be resumed, in words. */
class NotContinued extends Error {}

export class Sessions {
  readonly #server: Server;
  readonly #composer: Composer;

  constructor(server: Server, composer: Composer) {
    this.#server = server;
    this.#composer = composer;
  }

  /** Runs the program's own command in a new terminal, unless the session is running again. */
  async resume(ref: Ref): Promise<void> {
    try {
      await this.continueWith(ref, '');
    } catch (error) {
      if (!(error instanceof NotContinued)) throw error;
      warn(error.message);
    }
  }

  /**
   * Resumes a session with a text, which is one word of the program's command. Returns whether
   * the program received the text.
   */
  async continueWith(ref: Ref, text: string): Promise<boolean> {
    if (!vscode.workspace.isTrusted)
      throw new NotContinued(vscode.l10n.t('Sessions are resumed in trusted workspaces only.'));
    // Windows runs commands installed by npm through a shell, which would interpret a text.
    const { shell } = vscode.env;
    const given =
      process.platform === 'win32' || lineFor(['x', text], shell) === undefined ? '' : text.trim();
    const { words, taken, client, folder, group } = await this.#server.request('signalbox/sessions/resume', {
      ref,
      text: given,
    });
    const plain = commandLine(taken ? words.slice(0, -1) : words);
    const whole = taken ? lineFor(words, shell) : { line: plain ?? '', env: {} };
    if (plain === undefined || whole === undefined)
      throw new NotContinued(
        vscode.l10n.t('This session cannot be resumed: it is under way, or its program offers no way.'),
      );
    const { groups } = await this.#server.request('signalbox/inbox/list', { limit: 1 });
    const cwd = await workFolder(
      folder,
      groups.find(({ id, kind }) => kind === 'worktree' && id === group),
    );
    if (cwd === undefined)
      throw new NotContinued(vscode.l10n.t('This session cannot be resumed: its worktree was removed.'));
    const terminal = vscode.window.createTerminal({ name: client, cwd, env: whole.env });
    terminal.show();
    terminal.sendText(whole.line, true);
    return taken;
  }

  /** Opens a new message to the agent of a session. */
  async writeTo(ref: Ref): Promise<void> {
    const to = aliasOf(await this.#thread(ref));
    if (to === '') warn(vscode.l10n.t('This session’s agent has no name to write to.'));
    else await this.#composer.newMessage({ to, body: '' }, vscode.l10n.t('Mail to {0}', to));
  }

  /** Opens mail with a message that an agent's program did not deliver, to its intended receiver. */
  async sendAgain(message: MessageItem): Promise<void> {
    const opening = vscode.l10n.t('{0} wrote this to {1}, and it was not delivered:', '{0}', '{1}');
    await this.#composer.newMessage(resendDraft(message, opening), vscode.l10n.t('Mail to {0}', message.to));
  }

  async #thread(ref: Ref): Promise<ThreadItem> {
    return (await this.#server.request('signalbox/thread/get', { ref, limit: 1 })).thread;
  }
}

function warn(text: string): void {
  void vscode.window.showWarningMessage(`Signalbox: ${text}`);
}
