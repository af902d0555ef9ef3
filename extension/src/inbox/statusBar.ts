// The item on the left of the status bar: how much mail waits, and for whom.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { readConfig } from '../setup/config';
import type { Inbox } from './inbox';
import { alarmWords } from '../task/escalationRows';
import type { Escalations } from '../task/escalations';
import { join } from '../fill';
import type { MailRoot, Status } from '../protocol';
import { appendLines } from '../strangers';
import { ServerPart } from '../registrations';

export class StatusBar extends ServerPart {
  readonly #inbox: Inbox;
  readonly #escalations: Escalations;
  readonly #item: vscode.StatusBarItem;

  constructor(server: Server, inbox: Inbox, escalations: Escalations) {
    super(server);
    this.#inbox = inbox;
    this.#escalations = escalations;
    this.#item = vscode.window.createStatusBarItem('signalbox.status', vscode.StatusBarAlignment.Left, 10);
    this.#item.name = 'Signalbox';
    const update = (): void => this.#update();
    this.register(
      this.#item,
      server.onDidChangeState(update),
      server.onDidChangeStatus(update),
      inbox.onDidChangeCounts(update),
      escalations.onDidChangeAlarms(update),
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
    const counts = this.#inbox.counts;
    const number = readConfig().badge === 'unread' ? counts.unread : counts.needsReply;
    const { critical, overdue } = this.#escalations.alarms;
    this.#item.backgroundColor =
      critical > 0 ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.command = `signalbox.${critical + overdue > 0 ? 'escalationsView' : 'inboxView'}.focus`;
    const parts = [
      critical > 0 ? `$(error) ${critical}` : '',
      overdue > 0 ? `$(watch) ${overdue}` : '',
      number > 0 ? `$(mail) ${number}` : '',
    ];
    this.#item.text = join(parts, ' ') || '$(mail-read)';
    const waiting = vscode.l10n.t('need your reply: {0}, unread: {1}', counts.needsReply, counts.unread);
    const label = `Signalbox: ${join([waiting, ...alarmWords(this.#escalations.alarms)], ', ')}`;
    const tooltip = new vscode.MarkdownString();
    appendLines(tooltip, [label, ...(status === undefined ? [] : statusLines(status))]);
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
