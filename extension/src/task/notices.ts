// The notifications: critical escalations, missed ACKs, and a server that is not
// restarted any more. Ordinary mail only changes the badge.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import { newsIn, readTold, remember, type News } from './alarms';
import { noticeText } from '../strangers';
import type { Server } from '../server/client';
import { readConfig, silenceNotifications } from '../setup/config';
import { join } from '../fill';
import { alarmWords, labelWords } from './escalationRows';
import { type EscalationItem, type Overdue } from '../protocol';
import { ServerPart } from '../registrations';

/** Where the shown alarms are stored, for all windows. */
const toldKey = 'signalbox.toldAlarms';

/** A window without the focus waits this long, so that the focused one shows the notification. */
const focusedFirstMillis = 500;

/** At most so many alarms are fetched for a notification. */
const pageLimit = 100;

export class Notices extends ServerPart {
  readonly #memory: vscode.Memento;
  readonly #open: (alarm: EscalationItem | Overdue) => unknown;
  /** Whether there may be alarms that were not fetched yet. */
  #pending = false;
  #looking = false;

  constructor(server: Server, memory: vscode.Memento, open: (alarm: EscalationItem | Overdue) => unknown) {
    super(server);
    this.#memory = memory;
    this.#open = open;
    this.register(
      server.onDidChange((change) => {
        if (change.kinds.includes('tasks')) this.#happened(change.critical + change.overdue);
      }),
      server.onDidChangeStatus((status) => this.#happened(status.critical + status.overdue)),
      // Every window sees the same tasks; only the one in use shows a notification.
      vscode.window.onDidChangeWindowState(() => void this.#look()),
      server.onDidChangeState((state) => {
        if (state === 'stopped') void this.#stopped();
      }),
    );
  }

  #happened(alarms: number): void {
    if (alarms === 0 || readConfig().notifications === 'off') return;
    this.#pending = true;
    void this.#look();
  }

  /** Fetches alarms and shows the new ones, if this window is in use. */
  async #look(): Promise<void> {
    while (this.#pending && !this.#looking && inUse()) {
      this.#looking = true;
      try {
        if (!vscode.window.state.focused) await pause(focusedFirstMillis);
        this.#pending = false;
        const page = await this.server.request('signalbox/escalation/list', {
          severity: 'critical',
          open: true,
          limit: pageLimit,
        });
        const told = readTold(this.#memory.get(toldKey));
        const news = newsIn(page, told);
        if (news.keys.length > 0) {
          // Stored before it is shown, so that no other window shows it too.
          await this.#memory.update(toldKey, remember(told, news.keys));
          void this.#tell(news);
        }
      } catch (error) {
        this.log.error(`alarms: ${describeError(error)}`);
      } finally {
        this.#looking = false;
      }
    }
  }

  async #tell(news: News): Promise<void> {
    const show = vscode.l10n.t('Open');
    const never = vscode.l10n.t("Don't Show Again");
    const choice = await vscode.window.showWarningMessage(`Signalbox: ${newsWords(news)}`, show, never);
    if (choice === never) await silenceNotifications();
    if (choice !== show) return;
    const [only, ...others] = [...news.escalations, ...news.overdue];
    if (only !== undefined && others.length === 0) await this.#open(only);
    else await vscode.commands.executeCommand('signalbox.escalationsView.focus');
  }

  async #stopped(): Promise<void> {
    const restart = vscode.l10n.t('Restart Server');
    const log = vscode.l10n.t('Show Log');
    const text = vscode.l10n.t(
      'The Signalbox server crashed five times in three minutes and was not started again: {0}',
      noticeText(this.server.problem),
    );
    const choice = await vscode.window.showErrorMessage(text, restart, log);
    if (choice === restart) await vscode.commands.executeCommand('signalbox.restartServer');
    if (choice === log) await vscode.commands.executeCommand('signalbox.showLog');
  }
}

/**
 * Reports whether this is the window in use. In a browser, a window whose webview
 * has the focus does not count as focused, but it is active.
 */
function inUse(): boolean {
  const { focused, active } = vscode.window.state;
  return focused || active;
}

function pause(millis: number): Promise<void> {
  return new Promise((done) => setTimeout(done, millis));
}

/** Describes one alarm, or counts several. */
function newsWords({ escalations, overdue }: News): string {
  const [escalation] = escalations;
  const [missed] = overdue;
  if (escalations.length + overdue.length > 1)
    return join(alarmWords({ critical: escalations.length, overdue: overdue.length }), ', ');
  if (escalation !== undefined) {
    const { task, title, suspended } = escalation;
    const what =
      task.id === ''
        ? `${labelWords(escalation)}: ${noticeText(title)}`
        : vscode.l10n.t('{0} in {1}: {2}', labelWords(escalation), task.id, noticeText(title));
    return suspended.length === 0
      ? what
      : `${what} ${vscode.l10n.t('Suspended: {0}.', suspended.join(', '))}`;
  }
  return missed === undefined ? '' : `${missed.label}: ${noticeText(missed.text)}`;
}
