// The user's actions on threads: mark as read, archive, snooze, dismiss, and undo.

import * as vscode from 'vscode';
import { readConfig } from '../config';
import type { Counts, Ref } from '../protocol';
import type { Server } from '../server/client';
import { ServerPart } from '../server/serverPart';
import { untilWords } from '../when';
import { markable, markAllParams, type InboxModel } from './model';
import { UndoItem } from './undo';
import { doneWords, markedWords, type Shelving } from './words';

export class InboxActions extends ServerPart {
  readonly #model: InboxModel;
  readonly #show: (counts: Counts) => Promise<void>;
  readonly #undo = new UndoItem();

  /** `show` shows a request's changes. The server reports them as well, so one fetch is enough. */
  constructor(server: Server, model: InboxModel, show: (counts: Counts) => Promise<void>) {
    super(server);
    this.#model = model;
    this.#show = show;
    this.register(this.#undo);
  }

  /**
   * Marks threads read or unread. Moves a watermark only if the setting allows it.
   * Returns the revision that shows the change, or 0 if there was nothing to mark.
   */
  async setRead(all: readonly Ref[], read: boolean): Promise<number> {
    const refs = markable(this.#model.threads, all);
    if (refs.length === 0 || this.server.status?.readOnly === true) return 0;
    const updateWatermark = readConfig().updateWatermark;
    const counts = await this.server.request('signalbox/read/set', { refs, read, updateWatermark });
    await this.#show(counts);
    return counts.revision;
  }

  /** Marks all threads that pass the filter as read, fetched or not. */
  async markAllRead(): Promise<void> {
    const params = markAllParams(this.#model.filter, readConfig().updateWatermark);
    if (params === undefined || this.server.status?.readOnly === true) return;
    const marked = await this.server.request('signalbox/read/all', params);
    this.#undo.offer(markedWords(vscode.l10n.t, marked.threads), marked, []);
    await this.#show(marked);
  }

  /** Archives, snoozes or dismisses threads of any format, or brings them back. */
  async shelve(refs: readonly Ref[], how: Shelving): Promise<void> {
    if (refs.length === 0) return;
    const counts = await this.server.request('signalbox/thread/shelve', { refs, ...how });
    const until = 'snoozeUntil' in how ? untilWords(how.snoozeUntil, Date.now(), vscode.env.language) : '';
    this.#undo.offer(doneWords(vscode.l10n.t, how, refs.length, until), counts, refs);
    await this.#show(counts);
  }

  /** Undoes the last action. Returns its threads, or undefined if there is nothing to undo. */
  async undo(): Promise<readonly Ref[] | undefined> {
    const last = this.#undo.take();
    if (last === undefined) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('Nothing to undo'), 4_000);
      return undefined;
    }
    await this.#show(await this.server.request('signalbox/undo', { undo: last.undo }));
    vscode.window.setStatusBarMessage(vscode.l10n.t('Undone'), 4_000);
    return last.refs;
  }
}
