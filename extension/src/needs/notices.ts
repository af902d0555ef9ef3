// The notifications: urgent questions, critical escalations, tasks not confirmed in time, and
// a server that is no longer restarted. Ordinary mail only changes the badge.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import { newsIn, readNotified, remember, type News } from './alarms';
import { noticeText } from '../strangers';
import { optionLabels, suggestionWords } from './answers';
import { actionWords } from '../task/suggested';
import type { Server } from '../server/client';
import { readConfig, silenceNotifications } from '../config';
import { join } from '../fill';
import { labelWords, overdueWords } from '../task/escalationRows';
import type { Needs } from './needs';
import { questionWords } from './titles';
import { type EscalationItem, type Overdue, type Question } from '../protocol';
import { ServerPart } from '../server/serverPart';
import { showFailure } from '../views/notify';

/** Where the shown alarms are stored, for all windows. */
const notifiedKey = 'signalbox.toldAlarms';

/** A window without the focus waits this long, so that the focused one shows the notification. */
const focusedFirstMillis = 500;

export interface NoticesHost {
  /** Stores the alarms that were shown, for all windows. */
  readonly memory: vscode.Memento;
  open(alarm: EscalationItem | Overdue): unknown;
  openQuestion(question: Question): unknown;
  answer(question: Question, option: string): Promise<void>;
  /** Asks for confirmation, then answers an escalation with one of its suggestions. */
  suggest(escalation: EscalationItem, index: number): Promise<void>;
}

export class Notices extends ServerPart {
  readonly #needs: Needs;
  readonly #host: NoticesHost;
  /** Whether there may be alarms that were not checked yet. */
  #pending = false;
  #checking = false;

  constructor(server: Server, needs: Needs, host: NoticesHost) {
    super(server);
    this.#needs = needs;
    this.#host = host;
    this.register(
      needs.onDidChangeRows(() => {
        if (readConfig().notifications === 'off') return;
        this.#pending = true;
        void this.#check();
      }),
      // Every window gets the same alarms. Only the one in use shows a notification.
      vscode.window.onDidChangeWindowState(() => void this.#check()),
      server.onDidChangeState((state) => {
        if (state === 'stopped') void this.#stopped();
      }),
    );
  }

  /** Shows the new alarms, if this window is in use. */
  async #check(): Promise<void> {
    while (this.#pending && !this.#checking && inUse()) {
      this.#checking = true;
      try {
        if (!vscode.window.state.focused) await pause(focusedFirstMillis);
        this.#pending = false;
        const notified = readNotified(this.#host.memory.get(notifiedKey));
        const news = newsIn(this.#needs.items, notified);
        if (news.keys.length > 0) {
          // Stored before it is shown, so that no other window shows it.
          await this.#host.memory.update(notifiedKey, remember(notified, news.keys));
          const [question] = news.questions;
          void (question !== undefined && news.keys.length === 1 ? this.#ask(question) : this.#show(news));
        }
      } catch (error) {
        this.log.error(`alarms: ${describeError(error)}`);
      } finally {
        this.#checking = false;
      }
    }
  }

  /** Shows one question, with a button for each answer if there are few. */
  async #ask(question: Question): Promise<void> {
    const { from, options = [] } = question;
    const open = vscode.l10n.t('Open');
    const buttons = this.#answers(optionLabels(question), open);
    const words = vscode.l10n.t('{0} asks: {1}', from, noticeText(questionWords(question)));
    const choice = await vscode.window.showWarningMessage(`Signalbox: ${words}`, ...buttons, open);
    const option = choice === undefined ? undefined : options[buttons.indexOf(choice)];
    if (option !== undefined) {
      await this.#answer(() => this.#host.answer(question, option));
    } else if (choice === open) await this.#host.openQuestion(question);
  }

  /** Returns the buttons for answers, or none if nothing may be written. */
  #answers(labels: readonly string[], other: string): readonly string[] {
    const may = this.server.status?.readOnly !== true && !labels.includes(other);
    return may ? labels : [];
  }

  /** Sends a button's answer, and shows a failure to the user. */
  async #answer(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      showFailure(this.log, 'choose', error, () => this.#answer(run));
    }
  }

  async #show(news: News): Promise<void> {
    const show = vscode.l10n.t('Open');
    const never = vscode.l10n.t("Don't Show Again");
    const [only] = [...news.escalations, ...news.overdue];
    const [escalation] = news.keys.length === 1 ? news.escalations : [];
    const buttons =
      escalation === undefined ? [] : this.#answers(suggestionWords(escalation, actionWords()), show);
    // A notification shortens its buttons if there are more than four.
    const others = buttons.length > 0 ? [show] : [show, never];
    const words = `Signalbox: ${newsWords(news)}`;
    const choice = await vscode.window.showWarningMessage(words, ...buttons, ...others);
    if (choice === never) await silenceNotifications();
    const chosen = choice === undefined ? -1 : buttons.indexOf(choice);
    if (escalation !== undefined && chosen >= 0)
      await this.#answer(() => this.#host.suggest(escalation, chosen));
    if (choice !== show) return;
    if (only !== undefined && news.keys.length === 1) await this.#host.open(only);
    else await vscode.commands.executeCommand('signalbox.needsView.focus');
  }

  async #stopped(): Promise<void> {
    const restart = vscode.l10n.t('Restart Server');
    const log = vscode.l10n.t('Show Log');
    const text = vscode.l10n.t(
      'New mail is not shown: the Signalbox server crashed five times in three minutes. Mail and drafts are kept. ({0})',
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
function newsWords({ questions, escalations, overdue, keys }: News): string {
  const [escalation] = escalations;
  const [missed] = overdue;
  if (keys.length > 1)
    return join(
      [
        questions.length > 0 ? vscode.l10n.t('urgent questions: {0}', questions.length) : '',
        escalations.length > 0 ? vscode.l10n.t('critical escalations: {0}', escalations.length) : '',
        overdue.length > 0 ? vscode.l10n.t('overdue: {0}', overdue.length) : '',
      ],
      ', ',
    );
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
  return missed === undefined ? '' : noticeText(overdueWords(missed, Date.now()));
}
