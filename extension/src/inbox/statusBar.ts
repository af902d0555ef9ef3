// The item on the left of the status bar: how much needs the user, and what first.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { readConfig } from '../setup/config';
import type { Inbox } from './inbox';
import { alarms, keyOf, nodesOf } from '../needs/model';
import type { Needs } from '../needs/needs';
import { titleOf } from '../needs/rows';
import { join } from '../fill';
import type { MailRoot, Status } from '../protocol';
import { appendLines, commandLink } from '../strangers';
import { ServerPart } from '../registrations';

/** The tooltip names so many of the things that need the user. */
const rowsTold = 3;

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
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('signalbox.badge')) update();
      }),
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
    const { unread } = this.#inbox.counts;
    const { items, total } = this.#needs;
    this.#item.backgroundColor = items.some(alarms)
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : undefined;
    this.#item.command = `signalbox.${total > 0 ? 'needsView' : 'inboxView'}.focus`;
    const counted = readConfig().badge === 'unread' ? unread : 0;
    const parts = [total > 0 ? `$(bell) ${total}` : '', counted > 0 ? `$(mail) ${counted}` : ''];
    this.#item.text = join(parts, ' ') || '$(mail-read)';
    const label = `Signalbox: ${vscode.l10n.t('need you: {0}, unread: {1}', total, unread)}`;
    const tooltip = new vscode.MarkdownString();
    // A link runs this command alone, whatever a message says.
    tooltip.isTrusted = { enabledCommands: [openCommand] };
    appendLines(tooltip, [label]);
    for (const row of items.slice(0, rowsTold).flatMap(nodesOf))
      tooltip.appendMarkdown(`\n\n${commandLink(titleOf(row), openCommand, keyOf(row))}`);
    appendLines(tooltip, status === undefined ? [] : statusLines(status));
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label };
  }
}

/** Lists the alias, directories and projects with where each came from. */
function statusLines(status: Status): readonly string[] {
  const alias = status.alias === '' ? vscode.l10n.t('none') : status.alias;
  return [
    vscode.l10n.t('Alias: {0} (from {1})', alias, status.aliasOrigin),
    ...status.directories.map(({ path, origin, error = '' }) =>
      join([vscode.l10n.t('Directory: {0} (from {1})', path, origin), error], ': '),
    ),
    ...status.projects.map(({ path, origin }) => vscode.l10n.t('Project: {0} (from {1})', path, origin)),
    ...status.mailRoots.filter(({ exists }) => exists).flatMap(mailLines),
    ...status.ssots.map(({ path, origin, error = '' }) =>
      join([vscode.l10n.t('Tasks: {0} (from {1})', path, origin), error], ': '),
    ),
    status.readOnly ? vscode.l10n.t('Read-only: this workspace is not trusted.') : '',
  ];
}

function mailLines({ path, origin, error = '', boxes }: MailRoot): readonly string[] {
  const own = boxes.find((box) => box.own);
  return [
    join([vscode.l10n.t('Signed mail: {0} (from {1})', path, origin), error], ': '),
    own === undefined
      ? vscode.l10n.t('None of its mailboxes is yours: you can read the mail but sign none.')
      : vscode.l10n.t('Your mailbox: {0} ({1})', own.name, own.address),
  ];
}
