// Lenses above the lines that an agent wrote and that are still there. They lead from the code to
// the thread that it came from. They are off until the user turns them on.

import * as vscode from 'vscode';
import { inWorkspace, pathOfUri } from '../places';
import { ServerPart } from '../server/serverPart';
import type { Edit, Ref } from '../protocol';
import type { Server } from '../server/client';
import { describeError, isCancelled } from '../server/failures';
import { withoutIcons } from '../strangers';
import { relativeTime } from '../when';

/** The command of a lens. Only lenses run it, since it takes refs. */
const command = 'signalbox.openEdit';

/** The longest text in which the server looks for edits, in bytes. */
const longest = 1 << 20;

/** While agents write, the lenses are refreshed no more often than this. */
const pauseMillis = 5_000;

export class EditLenses extends ServerPart implements vscode.CodeLensProvider {
  readonly #emitter = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#emitter.event;
  #pause: NodeJS.Timeout | undefined;
  #provider: vscode.Disposable | undefined;

  constructor(server: Server, open: (thread: Ref, message: Ref) => unknown) {
    super(server);
    this.register(
      this.#emitter,
      vscode.commands.registerCommand(command, open),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('signalbox.codeLens')) this.#follow();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#follow();
      }),
      server.onDidChange(() => {
        this.#pause ??= setTimeout(() => {
          this.#pause = undefined;
          this.#emitter.fire();
        }, pauseMillis);
      }),
    );
    this.#follow();
  }

  override dispose(): void {
    clearTimeout(this.#pause);
    this.#provider?.dispose();
    super.dispose();
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[]> {
    const text = document.getText();
    if (text.length > longest) return [];
    try {
      const params = { path: pathOfUri(document.uri), text };
      const { edits } = await this.server.request('signalbox/edit/list', params, cancel);
      return edits.map(lensOf);
    } catch (error) {
      if (!isCancelled(error)) this.log.debug(`lenses: ${describeError(error)}`);
      return [];
    }
  }

  #follow(): void {
    const on =
      vscode.workspace.isTrusted &&
      vscode.workspace.getConfiguration('signalbox').get<boolean>('codeLens', false);
    if (on === (this.#provider !== undefined)) return;
    this.#provider?.dispose();
    this.#provider = on
      ? vscode.languages.registerCodeLensProvider({ ...inWorkspace(), pattern: '**' }, this)
      : undefined;
  }
}

function lensOf({ line, lines, thread, message, title, by, time }: Edit): vscode.CodeLens {
  const range = new vscode.Range(line, 0, line + lines - 1, 0);
  const when = relativeTime(time, Date.now(), vscode.env.language);
  return new vscode.CodeLens(range, {
    title: withoutIcons(`${by}, ${when}: ${title}`),
    tooltip: vscode.l10n.t('Open the conversation'),
    command,
    arguments: [thread, message],
  });
}
