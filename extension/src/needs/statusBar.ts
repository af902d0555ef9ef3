// The item on the left of the status bar: how many items need the user, and the first of them.

import * as vscode from 'vscode';
import { readOnlyNote } from '../places';
import type { Server } from '../server/client';
import type { Inbox } from '../inbox/inbox';
import { countWords } from '../inbox/words';
import { isAlarm, keyOf } from './model';
import type { Needs } from './needs';
import { titleOf } from './titles';
import { appendLines, commandLink } from '../strangers';
import { ServerPart } from '../server/serverPart';

/** The most items that the tooltip lists. */
const maxListed = 3;

const openCommand = 'signalbox.openNeed';

export class StatusBar extends ServerPart {
  readonly #inbox: Inbox;
  readonly #needs: Needs;
  readonly #item: vscode.StatusBarItem;

  constructor(server: Server, inbox: Inbox, needs: Needs) {
    super(server);
    this.#inbox = inbox;
    this.#needs = needs;
    this.#item = vscode.window.createStatusBarItem('signalbox.status', vscode.StatusBarAlignment.Left, 10);
    this.#item.name = 'Signalbox';
    const update = (): void => this.#update();
    this.register(
      this.#item,
      server.onDidChangeState(update),
      server.onDidChangeStatus(update),
      inbox.onDidChangeCounts(update),
      needs.onDidChangeRows(update),
    );
    this.#update();
    this.#item.show();
  }

  #update(): void {
    const { problem, status } = this.server;
    if (this.server.broken) {
      this.#item.text = '$(warning) Signalbox';
      this.#item.tooltip = problem;
      this.#item.accessibilityInformation = { label: `Signalbox: ${problem}` };
      this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
      this.#item.command = 'signalbox.inboxView.focus';
      return;
    }
    const { items, total } = this.#needs;
    this.#item.backgroundColor = items.some(isAlarm)
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : undefined;
    this.#item.command = `signalbox.${total > 0 ? 'needsView' : 'inboxView'}.focus`;
    this.#item.text = total > 0 ? `$(bell) ${total}` : '$(mail-read)';
    const counts = countWords(vscode.l10n.t, total, this.#inbox.counts.unread);
    const label = `Signalbox: ${counts}`;
    const tooltip = new vscode.MarkdownString();
    // A link can run only this command, whatever a message contains.
    tooltip.isTrusted = { enabledCommands: [openCommand] };
    appendLines(tooltip, [counts]);
    for (const item of items.slice(0, maxListed))
      tooltip.appendMarkdown(`\n\n${commandLink(titleOf(item), openCommand, keyOf(item))}`);
    if (status?.readOnly === true) appendLines(tooltip, [readOnlyNote()]);
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label };
  }
}
